import type { InputOf } from '../../api/send.ts'
import { useCall } from '../../api/use-call.ts'
import { Money, type MoneyValue } from '../../parts/money.tsx'
import { TableFrame } from '../../parts/table-frame.tsx'
import { statementsWords } from '../../words/statements.ts'
import { useWords } from '../../words/use-words.tsx'
import { OfPeriod, type Picked } from './period-picker.tsx'

type Props = Picked & { readonly query: InputOf<'GET /statement'>['query'] }

export function StatementSums({ query, ...picked }: Props) {
  const statements = useWords(statementsWords)
  const found = useCall('GET /statement', { query })
  const names: Readonly<Record<string, string>> = statements.steps
  const order = Object.keys(names)
  return (
    <OfPeriod {...picked} query={found} lines={6}>
      {({ opening, closing, steps }) => (
        <>
          {(['available', 'unsettled'] as const).map((account) => (
            <TableFrame key={account} label={statements[account]}>
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
                    .map(({ step, ...sums }) => ({ ...sums, step: step.replace(/^opening-.*/, 'opening') }))
                    .toSorted((one, other) => order.indexOf(one.step) - order.indexOf(other.step))
                    .map(({ step, entries, money }) => (
                      <Line key={step} name={names[step] ?? step} entries={entries} value={money} signed />
                    ))}
                  <Line name={statements.closing} value={closing[account]} />
                </tbody>
              </table>
            </TableFrame>
          ))}
        </>
      )}
    </OfPeriod>
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
