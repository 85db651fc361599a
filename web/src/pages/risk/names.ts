// The names that the routes accept. Functions turn a text of the page's address or of a select field into such a name.

export const lists = ['block', 'allow'] as const
export const kinds = ['card', 'bin', 'country', 'address', 'email', 'device'] as const
export const actions = ['refuse', 'challenge', 'review'] as const
export const countedBy = ['card', 'email', 'address', 'device', 'merchant'] as const

const finder =
  <Name extends string>(names: readonly Name[]) =>
  (text: string | undefined): Name | undefined =>
    names.find((name) => name === text)

export const listOf = finder(lists)
export const kindOf = finder(kinds)
export const actionOf = finder(actions)
export const countedByOf = finder(countedBy)
