// A statement in sums, to read or to print; every movement comes as CSV.
import { Button, Select } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { Download } from '../../parts/download.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useWords } from '../../words/use-words.tsx'
import { PeriodPicker, periodOf } from './period-picker.tsx'
import { StatementSums } from './statement-sums.tsx'

export function StatementPage() {
  const { statements } = useWords()
  const known = useCall('GET /statements', {})
  const filters = useFilters(['from', 'to', 'currency'])
  return (
    <Loaded query={known}>
      {({ today, currencies, company }) => {
        const currency = filters.values.currency ?? (currencies.includes('USD') ? 'USD' : currencies[0])
        if (currency === undefined) return <EmptyState title={statements.empty} hint={statements.emptyHint} />
        const query = { ...periodOf(filters, today), currency }
        return (
          <PageFrame
            title={`${statements.title} · ${company}`}
            hint={statements.hint}
            actions={
              <>
                <Button variant="default" className="no-print" onClick={() => window.print()}>
                  {statements.print}
                </Button>
                <Download route="GET /statement.csv" input={{ query }}>
                  {statements.csv}
                </Download>
              </>
            }
          >
            <Select
              label={statements.currency}
              className="no-print"
              data={currencies}
              value={currency}
              allowDeselect={false}
              maw={160}
              onChange={(chosen) => filters.set({ currency: chosen ?? undefined })}
            />
            <PeriodPicker filters={filters} today={today} />
            <StatementSums query={query} />
          </PageFrame>
        )
      }}
    </Loaded>
  )
}
