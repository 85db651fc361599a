// A trend over time. The drawing is loaded when a chart is first seen; the same figures stand in a table below it.
import { Button, Stack } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useWords } from '../words/use-words.tsx'

export type ChartPoint = {
  /** A day, as in `2026-01-31`. */
  readonly at: string
  readonly value: number | null
  /** How the table writes it, if the axis writes less. */
  readonly text?: string
}

export type ChartProps = {
  readonly label: string
  readonly points: readonly ChartPoint[]
  /** How a value is written at the axis, and in the table unless it has its own text. */
  readonly format: (value: number) => string
  readonly formatAt: (at: string) => string
}

const Drawing = lazy(async () => ({ default: (await import('./chart-drawing.tsx')).ChartDrawing }))

export function Chart(props: ChartProps) {
  const { label, points, format, formatAt } = props
  const { parts } = useWords()
  const [isTableShown, setIsTableShown] = useState(false)
  return (
    <Stack gap="xs">
      <figure className="chart" aria-label={label}>
        <Suspense fallback={null}>
          <Drawing {...props} />
        </Suspense>
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
        <table className="data-table" aria-label={label}>
          <tbody>
            {points.map(({ at, value, text }) => (
              <tr key={at}>
                <th scope="row">{formatAt(at)}</th>
                <td className="at-end">{value === null ? parts.none : (text ?? format(value))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Stack>
  )
}
