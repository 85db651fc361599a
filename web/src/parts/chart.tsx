// A trend over time. The code that draws is loaded with the first chart. A button shows the same figures as a table.
import { Button, Stack } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { partsWords } from '../words/parts.ts'
import { useWords } from '../words/use-words.tsx'
import type { ChartProps } from './chart-drawing.tsx'

const Drawing = lazy(async () => ({ default: (await import('./chart-drawing.tsx')).ChartDrawing }))

export function Chart(props: ChartProps) {
  const { label, points, format, formatAt } = props
  const parts = useWords(partsWords)
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
