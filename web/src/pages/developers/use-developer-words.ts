import { isOperator, useMe } from '../../shell/me.tsx'
import type { Words } from '../../words/en.ts'
import { useWords } from '../../words/use-words.tsx'

/** The words of the developers' pages. They address a merchant's staff, or speak to an operator about the merchant. */
export function useDeveloperWords(): Words['developers'] {
  const { developers } = useWords()
  return isOperator(useMe()) ? { ...developers, ...developers.ofMerchant } : developers
}
