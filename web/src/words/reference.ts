const lists: Readonly<Record<string, string>> = {
  'banks/per': 'Banks for Per Transfer',
  'banks/spei': 'Banks for SPEI',
  'banks/vietnam': 'Banks for Vietnam Pay',
  'dispute-reasons': 'Chargeback reasons',
}

const codeHints: Readonly<Record<string, string>> = {
  'banks/per': 'Two digits.',
  'banks/spei': 'Four or five digits: the bank’s participant code.',
  'banks/vietnam': 'Six digits: the bank’s NAPAS number.',
  'dispute-reasons': 'One to eight capital letters and digits.',
}

const fields: Readonly<Record<string, string>> = { name: 'Name', bic: 'BIC', listed: 'Listed' }

const en = {
  title: 'Reference data',
  hint: 'The banks that merchants may name in payments and payouts, and the reasons of disputes.',
  list: 'List',
  lists,
  about: (items: number, version: number) => `${items} entries, version ${version}`,
  search: 'Contains',
  code: 'Code',
  codeHints,
  name: 'Name',
  bic: 'BIC',
  bicHint: 'Payers see it beside the account. Leave it empty if there is none.',
  fields,
  yes: 'yes',
  no: 'no',
  add: 'Add an entry',
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  remove: 'Remove',
  removeThis: 'Remove this entry',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeEffect: 'New requests that name it are refused. Orders and disputes that name it stay as they are.',
  atOnce: 'It applies to new requests at once.',
  nothing: 'No entry matches',
  nothingHint: 'Change the search, or add an entry.',
}

const zh: typeof en = {
  title: '参考数据',
  hint: '商户在支付和付款中可以使用的银行，以及争议可以使用的原因。',
  list: '列表',
  lists: {
    'banks/per': 'Per Transfer 银行',
    'banks/spei': 'SPEI 银行',
    'banks/vietnam': '越南支付银行',
    'dispute-reasons': '拒付原因',
  },
  about: (items, version) => `${items} 项，版本 ${version}`,
  search: '包含',
  code: '代码',
  codeHints: {
    'banks/per': '两位数字。',
    'banks/spei': '四位或五位数字：银行的参与者代码。',
    'banks/vietnam': '六位数字：银行的 NAPAS 编号。',
    'dispute-reasons': '一至八个大写字母或数字。',
  },
  name: '名称',
  bic: 'BIC',
  bicHint: '付款人会在账号旁看到。没有则留空。',
  fields: { name: '名称', bic: 'BIC', listed: '已列出' },
  yes: '是',
  no: '否',
  add: '添加条目',
  edit: '编辑',
  editTitle: (name) => `编辑 ${name}`,
  remove: '移除',
  removeThis: '移除此条目',
  removeTitle: (name) => `移除 ${name}？`,
  removeEffect: '使用它的新请求将被拒绝。已使用它的订单和争议保持不变。',
  atOnce: '立即对新请求生效。',
  nothing: '没有匹配的条目',
  nothingHint: '更改搜索内容，或添加条目。',
}

export type ReferenceWords = typeof en
export const referenceWords = { en, zh }
