import { Button, Group, TextInput } from '@mantine/core'
import type { Filters } from '../../parts/use-filters.ts'
import { useWords } from '../../words/use-words.tsx'

export type Period = { readonly from: string; readonly to: string }

/** The chosen days, or the month of `today` so far. */
export function periodOf(filters: Filters<'from' | 'to'>, today: string): Period {
  const { from, to } = filters.values
  return { from: from ?? `${today.slice(0, 8)}01`, to: to ?? today }
}

type Props = { readonly filters: Filters<'from' | 'to'>; readonly today: string }

/** Days in the address, with buttons for the usual periods. */
export function PeriodPicker({ filters, today }: Props) {
  const { statements } = useWords()
  const { from, to } = periodOf(filters, today)
  return (
    <Group gap="sm" align="flex-end" className="no-print">
      <TextInput
        type="date"
        label={statements.from}
        value={from}
        onChange={(event) => filters.set({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={statements.to}
        value={to}
        onChange={(event) => filters.set({ to: event.currentTarget.value })}
      />
      <Button variant="default" onClick={() => filters.set({ from: today, to: today })}>
        {statements.today}
      </Button>
      <Button variant="default" onClick={() => filters.set({ from: undefined, to: undefined })}>
        {statements.thisMonth}
      </Button>
      <Button variant="default" onClick={() => filters.set(monthBefore(today))}>
        {statements.lastMonth}
      </Button>
    </Group>
  )
}

function monthBefore(today: string): Period {
  const [year = 0, month = 1] = today.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1, 0)).toISOString().slice(0, 10)
  return { from: `${last.slice(0, 8)}01`, to: last }
}
