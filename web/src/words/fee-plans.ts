const en = {
  title: 'Fee plans',
  hint: 'Terms with a name. A change applies to all its merchants from then on; orders keep their terms.',
  create: 'New plan',
  empty: 'No fee plan has a name yet',
  emptyHint: 'Make one, then choose it on the pages of merchants.',
  name: 'Name',
  plan: 'Plan',
  followers: (count: number) => (count === 1 ? '1 merchant follows it' : `${count} merchants follow it`),
  addMethod: 'Add a method',
  edit: 'Edit',
  remove: 'Remove',
  editTitle: (plan: string) => `Edit the plan ${plan}`,
  payouts: 'Payouts',
  affected: (count: number) =>
    count === 0 ? 'No merchant follows this plan.' : `Merchants whose terms change: ${count}`,
  own: 'Own terms',
  follows: (plan: string) => `Follows the plan ${plan}`,
  assign: 'Choose a plan',
  assignHint: 'Its terms replace those of the merchant. Own terms stay as they are now.',
}

const zh: typeof en = {
  title: '费率方案',
  hint: '有名称的费率条款。更改后对所有使用它的商户生效；已有订单保留原条款。',
  create: '新建方案',
  empty: '尚无命名的费率方案',
  emptyHint: '先新建一个方案，再在商户页面中选用。',
  name: '名称',
  plan: '方案',
  followers: (count) => `${count} 个商户使用`,
  addMethod: '添加支付方式',
  edit: '编辑',
  remove: '删除',
  editTitle: (plan) => `编辑方案 ${plan}`,
  payouts: '付款',
  affected: (count) => (count === 0 ? '没有商户使用此方案。' : `条款将变更的商户：${count}`),
  own: '自有条款',
  follows: (plan) => `使用方案 ${plan}`,
  assign: '选择方案',
  assignHint: '方案条款将替换商户的现有条款。选择自有条款则保持现状。',
}

export const feePlansWords = { en, zh }
