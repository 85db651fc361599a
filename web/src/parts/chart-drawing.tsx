// Draws amounts as bars and rates as a line. Uses uPlot and the colours of the theme.
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export type ChartPoint = {
  /** A day, such as `2026-01-31`. */
  readonly at: string
  readonly value: number
  /** The exact value for the table, because the axis shows a shorter form. */
  readonly text: string
  /** A share from 0 to 1. Null if the day has no rate. The line then connects the days before and after. */
  readonly rate: number | null
}

export type DrawingProps = {
  readonly points: readonly ChartPoint[]
  readonly locale: string
  readonly formatAt: (at: string, locale: string) => string
}

const HEIGHT = 220
const HALF_DAY = 43_200
const MOST_BAR_PX = 32

export function ChartDrawing({ points, locale, formatAt }: DrawingProps) {
  const frameRef = useRef<HTMLDivElement>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  useEffect(() => {
    const frame = frameRef.current
    if (frame === null || width === 0) return
    const style = getComputedStyle(frame)
    const [ink = '', dimmed = '', soft = '', accent = ''] = [
      '--mantine-color-text',
      '--mantine-color-dimmed',
      '--line',
      '--accent',
    ].map((name) => style.getPropertyValue(name))
    const compact = new Intl.NumberFormat(locale, { notation: 'compact' })
    const percent = new Intl.NumberFormat(locale, { style: 'percent' })
    const axis = { stroke: dimmed, grid: { stroke: soft, width: 1 }, ticks: { show: false } }
    const bars = UPlot.paths.bars?.({ size: [0.7, MOST_BAR_PX] })
    const plot = new UPlot(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        // A day has no time zone. Therefore the points and the labels of the axis are at midnight UTC.
        tzDate: (second) => UPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
        cursor: { y: false, points: { show: false } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            values: (_, moments) =>
              moments.map((second) => formatAt(new Date(second * 1000).toISOString().slice(0, 10), locale)),
            space: 90,
          },
          { ...axis, size: 60, values: (_, values) => values.map((value) => compact.format(value)) },
          {
            ...axis,
            scale: 'rate',
            side: 1,
            size: 60,
            grid: { show: false },
            splits: [0, 0.5, 1],
            values: (_, values) => values.map((value) => percent.format(value)),
          },
        ],
        scales: {
          x: { range: (_, first, last) => [first - HALF_DAY, last + HALF_DAY] },
          // The highest bar ends below the usual rates, and the line is visible even at 100 %.
          y: { range: (_, __, most) => [0, most > 0 ? most * 1.3 : 1] },
          rate: { range: () => [0, 1.05] },
        },
        series: [
          {},
          { fill: accent, width: 0, points: { show: false }, ...(bars !== undefined && { paths: bars }) },
          { scale: 'rate', stroke: ink, width: 2, spanGaps: true, points: { size: 5, fill: ink } },
        ],
      },
      [
        points.map(({ at }) => Date.parse(at) / 1000),
        points.map(({ value }) => value),
        points.map(({ rate }) => rate),
      ],
      frame,
    )
    return () => plot.destroy()
  }, [width, points, locale, formatAt])
  return (
    <div ref={ref} className="chart-drawing" aria-hidden="true">
      <div ref={frameRef} />
    </div>
  )
}
