import { isOperator, useMe } from '../../shell/me.tsx'
import { type DevelopersWords, developersWords } from '../../words/developers.ts'
import { useWords } from '../../words/use-words.tsx'

/**
 * Returns the words of the developers' pages. They address a merchant's staff or, for an operator, are about the
 * merchant.
 */
export function useDeveloperWords(): DevelopersWords {
  const developers = useWords(developersWords)
  return isOperator(useMe()) ? { ...developers, ...developers.ofMerchant } : developers
}
