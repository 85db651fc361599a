import { isOperator, useMe } from '../../shell/me.tsx'
import type { Words } from '../../words/en.ts'
import { useWords } from '../../words/use-words.tsx'

/** The words of these pages: they speak to a merchant's people, and about the merchant to an operator. */
export function useDeveloperWords(): Words['developers'] {
  const { developers } = useWords()
  return isOperator(useMe()) ? { ...developers, ...developers.ofMerchant } : developers
}
