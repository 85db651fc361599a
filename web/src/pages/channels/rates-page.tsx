import { Button, Checkbox, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { minuteOf, momentTyped } from '../../parts/days.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { Section } from '../../parts/section.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useFilters } from '../../parts/use-filters.ts'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { channelsWords } from '../../words/channels.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

type Rate = Reply<'GET /rates'>['rates'][number]

export function RatesPage() {
  const channels = useWords(channelsWords)
  const may = useMay()
  const filters = useFilters(['currency'])
  const currency = filters.values.currency?.toUpperCase()
  const found = useCall('GET /rates', { query: currency === undefined ? { currency: 'USD' } : { currency } })
  const [asked, setAsked] = useState<'new' | Rate>()
  return (
    <PageFrame
      title={channels.rates}
      hint={channels.ratesHint}
      actions={may('rates.edit') && <Button onClick={() => setAsked('new')}>{channels.set}</Button>}
    >
      <FilterBar filters={filters} of={[{ kind: 'text', name: 'currency', label: channels.currency }]} />
      <Loaded query={found} lines={12}>
        {({ rates, coming }) => (
          <>
            {coming.length > 0 && (
              <Section title={channels.coming} hint={channels.comingHint}>
                <RateTable
                  label={channels.coming}
                  rates={coming}
                  when={channels.begins}
                  {...(may('rates.edit') && { correct: setAsked })}
                />
              </Section>
            )}
            {rates.length === 0 ? (
              <EmptyState title={channels.noRates} hint={channels.noRatesHint} />
            ) : (
              <RateTable label={channels.rates} rates={rates} when={channels.since} />
            )}
          </>
        )}
      </Loaded>
      {asked !== undefined && (
        <SetRate close={() => setAsked(undefined)} {...(asked !== 'new' && { correcting: asked })} />
      )}
    </PageFrame>
  )
}

type TableProps = {
  readonly label: string
  readonly rates: readonly Rate[]
  readonly when: string
  readonly correct?: (rate: Rate) => void
}

function RateTable({ label, rates, when, correct }: TableProps) {
  const channels = useWords(channelsWords)
  return (
    <PlainTable label={label}>
      <thead>
        <tr>
          <th scope="col">{channels.pair}</th>
          <th scope="col" className="at-end">
            {channels.rate}
          </th>
          <th scope="col">{when}</th>
          <th scope="col" className="wide-only" aria-label={channels.derived} />
          {correct !== undefined && <th scope="col" aria-label={channels.correct} />}
        </tr>
      </thead>
      <tbody>
        {rates.map((one) => (
          <tr key={`${one.from}/${one.to} ${one.validFrom}`}>
            <td>{`${one.from} → ${one.to}`}</td>
            <td className="at-end">{withoutZeros(one.rate)}</td>
            <td>
              <Moment at={one.validFrom} />
            </td>
            <td className="wide-only">{one.isDerived ? channels.derived : ''}</td>
            {correct !== undefined && (
              <td className="at-end">
                <Button variant="default" size="compact-sm" onClick={() => correct(one)}>
                  {channels.correct}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

/** Removes the zeros at the end of a rate. The server writes rates with twelve decimals. */
function withoutZeros(rate: string): string {
  return rate.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
}

type SetProps = {
  readonly close: () => void
  /** The rate that is corrected, which is not in force yet. A new rate with the same start replaces this rate. */
  readonly correcting?: Rate
}

function SetRate({ close, correcting }: SetProps) {
  const channels = useWords(channelsWords)
  const parts = useWords(partsWords)
  const send = useSend('POST /rates')
  const title = correcting === undefined ? channels.set : channels.correct
  const shownTime = correcting === undefined ? '' : minuteOf(correcting.validFrom)
  const initial = {
    from: correcting?.from ?? '',
    to: correcting?.to ?? '',
    rate: correcting === undefined ? '' : withoutZeros(correcting.rate),
    validFrom: shownTime,
    confirm: false,
    reason: '',
  }
  const form = useForm(initial, async ({ from, to, rate, confirm, reason, ...typed }) => {
    // The field shows no seconds. An unchanged time is sent exactly, because a rate with another second would not
    // replace this one.
    const isSameTime = typed.validFrom === shownTime
    const validFrom = isSameTime ? correcting?.validFrom : momentTyped(typed.validFrom)
    const body = { from: from.toUpperCase(), to: to.toUpperCase(), rate, confirm, reason }
    await send({ body: { ...body, ...(validFrom !== undefined && { validFrom }) } })
    close()
  })
  const problem = form.problemAt('confirm')
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={title} cancel={close}>
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
          <ReasonField {...form.field('reason')} />
          {(problem !== undefined || form.values.confirm) && (
            <Checkbox label={channels.confirmRate} error={problem} {...form.check('confirm')} />
          )}
        </Stack>
      </FormFrame>
    </Modal>
  )
}
