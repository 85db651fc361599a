import { useCall } from '../../api/use-call.ts'
import { Money, type MoneyValue } from '../../parts/money.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/use-words.tsx'

type Props = { readonly query: { readonly from: string; readonly to: string; readonly currency: string } }

/** Opening balances, what moved them, and closing balances. */
export function StatementSums({ query }: Props) {
  const { statements } = useWords()
  const found = useCall('GET /statement', { query })
  const names: Readonly<Record<string, string>> = statements.steps
  return (
    <Loaded query={found} lines={6}>
      {({ opening, closing, steps }) => (
        <>
          {(['available', 'unsettled'] as const).map((account) => (
            <div className="table-frame" key={account}>
              <table className="data-table" aria-label={statements[account]}>
                <thead>
                  <tr>
                    <th scope="col">{statements[account]}</th>
                    <th scope="col" className="at-end">
                      {statements.entries}
                    </th>
                    <th scope="col" className="at-end">
                      {`${statements.amount} (${query.currency})`}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  <Line name={statements.opening} value={opening[account]} />
                  {steps
                    .filter((step) => step.account === account)
                    .map(({ step, entries, money }) => (
                      <Line key={step} name={names[step] ?? step} entries={entries} value={money} signed />
                    ))}
                  <Line name={statements.closing} value={closing[account]} />
                </tbody>
              </table>
            </div>
          ))}
        </>
      )}
    </Loaded>
  )
}

type LineProps = {
  readonly name: string
  readonly entries?: number
  readonly value: MoneyValue
  readonly signed?: boolean
}

function Line({ name, entries, value, signed = false }: LineProps) {
  return (
    <tr>
      <td>{name}</td>
      <td className="at-end">{entries}</td>
      <td className="at-end">
        <Money value={value} signed={signed} />
      </td>
    </tr>
  )
}
