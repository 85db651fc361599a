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

export const reference = {
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
