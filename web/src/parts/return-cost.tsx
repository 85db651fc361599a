// The part of a returned refund or payout that did not arrive back, shown next to the state.
import { Text } from '@mantine/core'
import { partsWords } from '../words/parts.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { formatMoney, type MoneyValue } from './money.tsx'

export function ReturnCost({ value }: { readonly value: MoneyValue }) {
  const parts = useWords(partsWords)
  const { locale } = useLanguage()
  return (
    <Text size="sm" c="dimmed" style={{ whiteSpace: 'normal' }}>
      {parts.returnCost(formatMoney(value, locale))}
    </Text>
  )
}
