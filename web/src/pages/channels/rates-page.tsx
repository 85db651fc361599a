// Conversion rates, by currency.
import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { momentTyped } from '../../parts/days.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { useWords } from '../../words/use-words.tsx'

export function RatesPage() {
  const { channels } = useWords()
  const may = useMay()
  const filters = useFilters(['currency'])
  const currency = filters.values.currency?.toUpperCase()
  const found = useCall('GET /rates', { query: currency === undefined ? { currency: 'USD' } : { currency } })
  const [isSetting, setIsSetting] = useState(false)
  return (
    <PageFrame
      title={channels.rates}
      hint={channels.ratesHint}
      actions={may('rates.edit') && <Button onClick={() => setIsSetting(true)}>{channels.set}</Button>}
    >
      <FilterBar filters={filters} of={[{ kind: 'text', name: 'currency', label: channels.currency }]} />
      <Loaded query={found} lines={12}>
        {({ rates }) =>
          rates.length === 0 ? (
            <EmptyState title={channels.noRates} hint={channels.noRatesHint} />
          ) : (
            <PlainTable label={channels.rates}>
              <thead>
                <tr>
                  <th scope="col">{channels.pair}</th>
                  <th scope="col" className="at-end">
                    {channels.rate}
                  </th>
                  <th scope="col">{channels.since}</th>
                  <th scope="col" className="wide-only" aria-label={channels.derived} />
                </tr>
              </thead>
              <tbody>
                {rates.map(({ from, to, rate, validFrom, isDerived }) => (
                  <tr key={`${from}/${to}`}>
                    <td>{`${from} → ${to}`}</td>
                    <td className="at-end">{withoutZeros(rate)}</td>
                    <td>
                      <Moment at={validFrom} />
                    </td>
                    <td className="wide-only">{isDerived ? channels.derived : ''}</td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
          )
        }
      </Loaded>
      {isSetting && <SetRate close={() => setIsSetting(false)} />}
    </PageFrame>
  )
}

/** The server writes twelve decimals. */
function withoutZeros(rate: string): string {
  return rate.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
}

function SetRate({ close }: { readonly close: () => void }) {
  const { channels, parts } = useWords()
  const send = useSend('POST /rates')
  const empty = { from: '', to: '', rate: '', validFrom: '', reason: '' }
  const form = useForm(empty, async ({ from, to, rate, reason, ...typed }) => {
    const validFrom = momentTyped(typed.validFrom)
    const body = { from: from.toUpperCase(), to: to.toUpperCase(), rate, reason }
    await send({ body: { ...body, ...(validFrom !== undefined && { validFrom }) } })
    close()
  })
  return (
    <Modal opened onClose={close} title={channels.set} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={channels.set} cancel={close}>
        <Stack gap="md">
          <TextInput label={channels.from} maxLength={5} required data-autofocus {...form.field('from')} />
          <TextInput label={channels.to} maxLength={5} required {...form.field('to')} />
          <TextInput label={channels.rate} inputMode="decimal" required {...form.field('rate')} />
          <TextInput
            type="datetime-local"
            label={channels.validFrom}
            description={channels.validFromHint}
            {...form.field('validFrom')}
          />
          <Textarea label={parts.reason} description={parts.reasonHint} required {...form.field('reason')} />
        </Stack>
      </FormFrame>
    </Modal>
  )
}
