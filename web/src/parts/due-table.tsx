// Amounts by the day or month on which they become available.

import { statementsWords } from '../words/statements.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { formatDay } from './moment.tsx'
import { Money, type MoneyValue } from './money.tsx'
import { PlainTable } from './plain-table.tsx'

type Due = { readonly day: string; readonly orders: number; readonly money: MoneyValue }
type Props = { readonly label: string; readonly when: string; readonly rows: readonly Due[] }

export function DueTable({ label, when, rows }: Props) {
  const statements = useWords(statementsWords)
  const { locale } = useLanguage()
  return (
    <PlainTable label={label}>
      <thead>
        <tr>
          <th scope="col">{when}</th>
          <th scope="col" className="at-end">
            {statements.orders}
          </th>
          <th scope="col" className="at-end">
            {statements.amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ day, orders, money }) => (
          <tr key={`${day} ${money.currency}`}>
            <td>{formatDay(day, locale)}</td>
            <td className="at-end">{orders}</td>
            <td className="at-end">
              <Money value={money} />
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}
