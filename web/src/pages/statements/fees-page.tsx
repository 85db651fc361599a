// The fees of a period, as an invoice to read, print or download.
import { Button } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { Download } from '../../parts/download.tsx'
import { formatDays } from '../../parts/moment.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { TableFrame } from '../../parts/table-frame.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { statementsWords } from '../../words/statements.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { OfPeriod, type Period, type Picked, periodOf } from './period-picker.tsx'

export function FeesPage() {
  const statements = useWords(statementsWords)
  const known = useCall('GET /statements', {})
  const filters = useFilters(['from', 'to'])
  return (
    <Loaded query={known}>
      {({ today, company }) => {
        const query = periodOf(filters, today)
        return (
          <PageFrame
            title={`${statements.fees} · ${company}`}
            hint={statements.feesHint}
            actions={
              <>
                <Button variant="default" className="no-print" onClick={() => window.print()}>
                  {statements.print}
                </Button>
                <Download route="GET /invoice.csv" input={{ query }}>
                  {statements.feesCsv}
                </Download>
              </>
            }
          >
            <Invoice query={query} filters={filters} today={today} />
          </PageFrame>
        )
      }}
    </Loaded>
  )
}

function Invoice({ query, ...picked }: Picked & { readonly query: Period }) {
  const statements = useWords(statementsWords)
  const { locale } = useLanguage()
  const found = useCall('GET /invoice', { query })
  const names: Readonly<Record<string, string>> = statements.steps
  return (
    <OfPeriod {...picked} query={found}>
      {({ lines, totals }) =>
        lines.length === 0 ? (
          <EmptyState
            title={statements.noFees}
            hint={statements.noFeesHint(formatDays(query.from, query.to, locale))}
          />
        ) : (
          <TableFrame label={statements.fees}>
            <table className="data-table" aria-label={statements.fees}>
              <thead>
                <tr>
                  <th scope="col">{statements.step}</th>
                  <th scope="col" className="at-end">
                    {statements.entries}
                  </th>
                  <th scope="col" className="at-end">
                    {statements.amount}
                  </th>
                </tr>
              </thead>
              <tbody>
                {lines.map(({ step, entries, money }) => (
                  <tr key={`${step} ${money.currency}`}>
                    <td>{names[step] ?? step}</td>
                    <td className="at-end">{entries}</td>
                    <td className="at-end">
                      <Money value={money} />
                    </td>
                  </tr>
                ))}
                {totals.map((money) => (
                  <tr key={money.currency}>
                    <th scope="row">{statements.total}</th>
                    <td />
                    <td className="at-end">
                      <strong>
                        <Money value={money} />
                      </strong>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableFrame>
        )
      }
    </OfPeriod>
  )
}
