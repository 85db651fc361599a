import type { Words } from '../en.ts'

export const company: Words['company'] = {
  title: '公司',
  name: '名称',
  merNo: '商户号',
  state: '状态',
  states: { pending: '等待审批', active: '正常', suspended: '已暂停', closed: '已关闭' },
  timezone: '时区',
  websites: '网站',
  asked: (site) => `${site}（等待审批）`,
  currencies: '币种',
  settlesIn: (currency, other) => `${currency}，以 ${other} 结算`,
  methods: '支付方式',
  allMethods: '网关提供的所有方式',
  none: '还没有',
  hint: '网关中登记的公司信息。如需修改，请联系运营方。',
}
