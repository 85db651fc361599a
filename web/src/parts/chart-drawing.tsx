// Draws a chart with uPlot, in the colours of the theme.
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export type ChartPoint = {
  /** A day, as in `2026-01-31`. */
  readonly at: string
  readonly value: number | null
  /** The value for the table, if the axis shows a shorter form. */
  readonly text?: string
}

export type ChartProps = {
  readonly label: string
  readonly points: readonly ChartPoint[]
  readonly format: (value: number) => string
  readonly formatAt: (at: string) => string
}

const HEIGHT = 220

export function ChartDrawing({ points, format, formatAt }: ChartProps) {
  const frameRef = useRef<HTMLDivElement>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  useEffect(() => {
    const frame = frameRef.current
    if (frame === null || width === 0) return
    const style = getComputedStyle(frame)
    const [ink, soft, accent] = ['--mantine-color-dimmed', '--line', '--accent'].map((name) =>
      style.getPropertyValue(name),
    )
    const axis = { stroke: ink ?? '', grid: { stroke: soft ?? '', width: 1 }, ticks: { show: false } }
    const plot = new UPlot(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        // A day has no time zone: points are at its UTC midnight, and so are the marks of the axis.
        tzDate: (second) => UPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
        cursor: { y: false },
        axes: [
          {
            ...axis,
            grid: { show: false },
            values: (_, moments) => moments.map((second) => formatAt(new Date(second * 1000).toISOString())),
            space: 90,
          },
          { ...axis, size: 80, values: (_, values) => values.map((value) => format(value)) },
        ],
        scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
        series: [{}, { stroke: accent ?? '', width: 2, points: { show: points.length < 40 } }],
      },
      [points.map(({ at }) => Date.parse(at) / 1000), points.map(({ value }) => value)],
      frame,
    )
    return () => plot.destroy()
  }, [width, points, format, formatAt])
  return (
    <div ref={ref} className="chart-drawing" aria-hidden="true">
      <div ref={frameRef} />
    </div>
  )
}
