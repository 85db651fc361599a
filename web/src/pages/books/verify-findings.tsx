// The findings of a check of the books: each broken rule, with the rows that break it.
import { Stack, Text } from '@mantine/core'
import { formatMoney } from '../../parts/money.tsx'
import { booksWords } from '../../words/books.ts'
import { ordersWords } from '../../words/orders.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import type { Run } from './verify-result.tsx'

type Texts = Readonly<Record<string, unknown>>

/** Reads the rows in a run's result. The API's types do not describe a run's result. */
function rowsOf(value: unknown): readonly Texts[] {
  return Array.isArray(value) ? value : []
}

export function VerifyFindings({ result }: { readonly result: Run['result'] }) {
  const { locale } = useLanguage()
  const books = useWords(booksWords)
  const orders = useWords(ordersWords)
  const money = (minor: unknown, currency: unknown) =>
    formatMoney({ amount: String(minor), currency: String(currency) }, locale)
  const balances = rowsOf(result?.differences).map(({ merNo, account, balance, entries, currency }) =>
    books.wrongBalance(
      `${orders.merchant} ${merNo}, ${account}`,
      money(balance, currency),
      money(entries, currency),
    ),
  )
  const byRule = Map.groupBy(rowsOf(result?.findings), ({ rule, check }) => String(rule ?? check))
  const found = [...byRule].map(([rule, rows]) => ({
    rule,
    lines: rows.map(({ merNo, subject, found: is, expected }) =>
      books.wrongRow(`${orders.merchant} ${merNo}, ${subject}`, String(is), String(expected)),
    ),
  }))
  const all = [...(balances.length > 0 ? [{ rule: books.wrongBalances, lines: balances }] : []), ...found]
  if (all.length === 0) return null
  return (
    <Stack gap={4} className="wraps">
      {all.map(({ rule, lines }) => (
        <details key={rule}>
          <summary>{`${rule} (${lines.length})`}</summary>
          {lines.map((line) => (
            <Text key={line} size="xs" c="dimmed">
              {line}
            </Text>
          ))}
        </details>
      ))}
    </Stack>
  )
}
