import { Button, Group, TextInput } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Refusal } from '../../api/refusal.ts'
import { Loaded } from '../../parts/states.tsx'
import type { Filters } from '../../parts/use-filters.ts'
import { fieldTextWords } from '../../words/field-text.ts'
import { statementsWords } from '../../words/statements.ts'
import { useWords } from '../../words/use-words.tsx'

export type Period = { readonly from: string; readonly to: string }

/** Returns the chosen days. The default is from the first day of this month to `today`. */
export function periodOf(filters: Filters<'from' | 'to'>, today: string): Period {
  const { from, to } = filters.values
  return { from: from ?? `${today.slice(0, 8)}01`, to: to ?? today }
}

export type Picked = { readonly filters: Filters<'from' | 'to'>; readonly today: string }

type Props<Data> = Picked & {
  readonly query: Pick<UseQueryResult<Data, Refusal>, 'data' | 'error' | 'refetch'>
  readonly lines?: number
  readonly children: (data: Data) => ReactNode
}

/**
 * Shows the data of a period. If the server refuses a day, the problem is shown at the field of the day, and no data is
 * shown.
 */
export function OfPeriod<Data>({ filters, today, query, lines = 4, children }: Props<Data>) {
  const { from, to } = query.error?.fields ?? {}
  const isAtDay = from !== undefined || to !== undefined
  return (
    <>
      <PeriodPicker filters={filters} today={today} problems={{ from, to }} />
      {!isAtDay && (
        <Loaded query={query} lines={lines}>
          {children}
        </Loaded>
      )}
    </>
  )
}

/** The problem is above its field, because the fields and the buttons are aligned at the bottom. */
const ORDER = ['label' as const, 'error' as const, 'input' as const]

type Problems = { readonly from: string | undefined; readonly to: string | undefined }

/** The fields for the two days, and buttons for the usual periods. The page's address contains the days. */
function PeriodPicker({ filters, today, problems }: Picked & { readonly problems: Problems }) {
  const statements = useWords(statementsWords)
  const fieldText = useWords(fieldTextWords)
  const { from, to } = periodOf(filters, today)
  const shown = (problem: string | undefined) => problem !== undefined && fieldText(problem)
  return (
    <Group gap="sm" align="flex-end" className="no-print">
      <TextInput
        type="date"
        label={statements.from}
        value={from}
        error={shown(problems.from)}
        inputWrapperOrder={ORDER}
        onChange={(event) => filters.set({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        label={statements.to}
        value={to}
        error={shown(problems.to)}
        inputWrapperOrder={ORDER}
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
