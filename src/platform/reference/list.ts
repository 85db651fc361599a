// The reference lists that operators change while the gateway runs: banks open, merge and close, and card schemes add
// dispute reasons. Lists that the program depends on, such as currencies, are part of the code.

export type Item = {
  readonly code: string
  readonly name: string
  /** A bank's BIC, or ''. */
  readonly bic: string
}

type Traits = {
  readonly title: string
  readonly codes: RegExp
  /** The end of the sentence "A code of this list …". */
  readonly codeRule: string
  readonly sortedBy: 'code' | 'name'
  readonly hasBic: boolean
}

const digits = (least: number, most: number) => {
  const count = least === most ? `${least}` : `${least} or ${most}`
  return { codes: new RegExp(`^\\d{${least},${most}}$`), codeRule: `has ${count} digits` }
}

const lists = {
  'banks/per': { title: 'Banks for Per Transfer', ...digits(2, 2), sortedBy: 'code', hasBic: false },
  'banks/spei': { title: 'Banks for SPEI', ...digits(4, 5), sortedBy: 'name', hasBic: false },
  'banks/vietnam': { title: 'Banks for Vietnam Pay', ...digits(6, 6), sortedBy: 'name', hasBic: true },
  'dispute-reasons': {
    title: 'Chargeback reasons',
    codes: /^[A-Z0-9]{1,8}$/,
    codeRule: 'has 1 to 8 capital letters and digits',
    sortedBy: 'code',
    hasBic: false,
  },
} as const satisfies Record<string, Traits>

export type ListName = keyof typeof lists

export const listNames: readonly ListName[] = Object.keys(lists).filter(isListName)

export function isListName(name: string): name is ListName {
  return Object.hasOwn(lists, name)
}

export function traitsOf(list: ListName): Traits {
  return lists[list]
}

/** The reason of disputes whose own reason is not listed. The item cannot be removed. */
export const OTHER_REASON = '0000'

export function isNeeded(list: ListName, code: string): boolean {
  return list === 'dispute-reasons' && code === OTHER_REASON
}
