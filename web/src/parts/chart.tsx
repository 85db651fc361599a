// A chart of amounts and success rates by day. The code that draws is loaded with the first chart. A button shows the
// same figures as a table.
import { Button, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import type { DrawingProps } from './chart-drawing.tsx'
import { PlainTable } from './plain-table.tsx'

const Drawing = lazy(async () => ({ default: (await import('./chart-drawing.tsx')).ChartDrawing }))

type Props = DrawingProps & {
  readonly label: string
  /** The sentence that says what the bars and the line show. */
  readonly legend: string
  /** The heads of the table's columns: the day, the amount and the rate. */
  readonly heads: readonly [string, string, string]
}

export function Chart({ label, legend, heads, ...drawing }: Props) {
  const { points, locale, formatAt } = drawing
  const parts = useWords(partsWords)
  const scheme = useComputedColorScheme('light')
  const [isTableShown, setIsTableShown] = useState(false)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const [dayHead, amountHead, rateHead] = heads
  return (
    <Stack gap="xs">
      <figure className="chart" aria-label={label}>
        <Suspense fallback={null}>
          {/* A drawing does not change its colours, so a new colour scheme needs a new drawing. */}
          <Drawing key={scheme} {...drawing} />
        </Suspense>
        <Text component="figcaption" size="sm" c="dimmed">
          {legend}
        </Text>
      </figure>
      <Button
        variant="subtle"
        size="xs"
        className="at-start"
        aria-expanded={isTableShown}
        onClick={() => setIsTableShown(!isTableShown)}
      >
        {isTableShown ? parts.hideTable : parts.showTable}
      </Button>
      {isTableShown && (
        <PlainTable label={label}>
          <thead>
            <tr>
              <th scope="col">{dayHead}</th>
              <th scope="col" className="at-end">
                {amountHead}
              </th>
              <th scope="col" className="at-end">
                {rateHead}
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, text, rate }) => (
              <tr key={at}>
                <th scope="row">{formatAt(at, locale)}</th>
                <td className="at-end">{text}</td>
                <td className="at-end">{rate === null ? '–' : percent.format(rate)}</td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </Stack>
  )
}
