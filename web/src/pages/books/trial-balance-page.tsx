// The trial balance: every account of all merchants, by currency.
import { Stack, Title } from '@mantine/core'
import type { Reply } from '../../api/send.ts'
import { useCall } from '../../api/use-call.ts'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { booksWords } from '../../words/books.ts'
import { useWords } from '../../words/use-words.tsx'

type Currency = Reply<'GET /books/trial-balance'>['currencies'][number]

export function TrialBalancePage() {
  const books = useWords(booksWords)
  const found = useCall('GET /books/trial-balance', {})
  return (
    <PageFrame title={books.trial} hint={books.trialHint}>
      <Loaded query={found} lines={12}>
        {({ currencies }) =>
          currencies.length === 0 ? (
            <EmptyState title={books.nothingBooked} hint={books.nothingBookedHint} />
          ) : (
            <Stack gap="xl">
              {currencies.map((one) => (
                <CurrencyTable key={one.currency} of={one} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function CurrencyTable({
  of: { currency, accounts, debits, credits, isBalanced },
}: {
  readonly of: Currency
}) {
  const books = useWords(booksWords)
  const money = (amount: string) => <Money value={{ amount, currency }} />
  return (
    <section>
      <Title order={2} size="h4">
        {currency}
      </Title>
      <PlainTable label={`${books.trial} ${currency}`}>
        <thead>
          <tr>
            <th scope="col">{books.account}</th>
            <th scope="col" className="at-end">
              {books.debits}
            </th>
            <th scope="col" className="at-end">
              {books.credits}
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map((one) => (
            <tr key={one.account}>
              <td className="mono">{one.account}</td>
              <td className="at-end">{money(one.debits)}</td>
              <td className="at-end">{money(one.credits)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              {isBalanced ? (
                <StateLabel tone="done">{books.balanced}</StateLabel>
              ) : (
                <StateLabel tone="error">{books.notBalanced}</StateLabel>
              )}
            </th>
            <td className="at-end">{money(debits)}</td>
            <td className="at-end">{money(credits)}</td>
          </tr>
        </tbody>
      </PlainTable>
    </section>
  )
}
