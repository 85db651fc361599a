// A statement as sums, to read or to print. All movements can be downloaded as CSV.
import { Button, Select } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { Download } from '../../parts/download.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { statementsWords } from '../../words/statements.ts'
import { useWords } from '../../words/use-words.tsx'
import { type ChosenMerchant, WithMerchant } from '../developers/chosen-merchant.tsx'
import { periodOf } from './period-picker.tsx'
import { StatementSums } from './statement-sums.tsx'

export function StatementPage() {
  return <WithMerchant>{(chosen) => <Statement chosen={chosen} />}</WithMerchant>
}

function Statement({ chosen }: { readonly chosen: ChosenMerchant }) {
  const statements = useWords(statementsWords)
  const hint = chosen.merNo === undefined ? statements.hint : statements.hintOfMerchant
  const known = useCall('GET /statements', { query: chosen })
  const filters = useFilters(['from', 'to', 'currency'])
  return (
    <Loaded query={known}>
      {({ today, currencies, company }) => {
        const currency = filters.values.currency ?? (currencies.includes('USD') ? 'USD' : currencies[0])
        const title = `${statements.title} · ${company}`
        if (currency === undefined)
          return (
            <PageFrame title={title} hint={hint}>
              <EmptyState title={statements.empty} hint={statements.emptyHint} />
            </PageFrame>
          )
        const query = { ...chosen, ...periodOf(filters, today), currency }
        return (
          <PageFrame
            title={title}
            hint={hint}
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
            <StatementSums query={query} filters={filters} today={today} />
          </PageFrame>
        )
      }}
    </Loaded>
  )
}
