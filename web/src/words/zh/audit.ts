import type { Words } from '../en.ts'

export const audit: Words['audit'] = {
  title: '审计日志',
  hint: '记录人员或命令所做的每一次更改及其内容。记录不可修改。',
  at: '时间',
  actor: '操作人',
  action: '操作',
  subject: '对象',
  merchant: '商户',
  platform: '平台',
  reason: '原因',
  address: '来源地址',
  period: '时间段',
  before: '更改前',
  after: '更改后',
  line: '审计日志记录',
  kinds: { user: '人员', command: '命令', system: '系统' },
  empty: '还没有记录',
  emptyHint: '人员所做的更改会显示在这里。',
  nothingFound: '没有符合筛选条件的记录',
  nothingFoundHint: '请移除一个筛选条件，或选择更长的时间段。',
  exportAll: '下载 CSV',
}
