import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Money } from '../../parts/money.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { EmptyState, Loaded } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { channelsWords } from '../../words/channels.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { ordersWords } from '../../words/orders.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import { MethodField } from '../fee-plans/term-fields.tsx'

type Limits = Reply<'GET /platform/limits'>['limits'][number]

const NONE = 'none'

export function LimitsPage() {
  const channels = useWords(channelsWords)
  const merchants = useWords(merchantsWords)
  const orders = useWords(ordersWords)
  const names: Readonly<Record<string, string>> = { ...orders.methods, payouts: channels.payouts }
  const may = useMay()
  const found = useCall('GET /platform/limits', {})
  const [edited, setEdited] = useState<Edited>()
  const known = found.data?.limits ?? []
  const edit = may('platform.edit') ? (of: Edited['of']) => setEdited({ of, known }) : undefined
  const close = () => setEdited(undefined)
  return (
    <PageFrame
      title={channels.limits}
      hint={channels.limitsHint}
      actions={edit && <Button onClick={() => edit('new')}>{channels.setLimit}</Button>}
    >
      <Loaded query={found}>
        {({ limits }) => (
          <>
            {limits.length === 0 ? (
              <EmptyState title={channels.noLimits} hint={channels.noLimitsHint} />
            ) : (
              <PlainTable label={channels.limits}>
                <thead>
                  <tr>
                    <th scope="col">{channels.method}</th>
                    <th scope="col" className="at-end">
                      {channels.daily}
                    </th>
                    <th scope="col" className="at-end">
                      {channels.monthly}
                    </th>
                    {edit && <td />}
                  </tr>
                </thead>
                <tbody>
                  {limits.map((one) => (
                    <tr key={one.method}>
                      <td>{names[one.method] ?? one.method}</td>
                      <td className="at-end">
                        <Limit of={one.daily} />
                      </td>
                      <td className="at-end">
                        <Limit of={one.monthly} />
                      </td>
                      {edit && (
                        <td className="at-end">
                          <Button size="xs" variant="default" onClick={() => edit(one)}>
                            {merchants.edit}
                          </Button>
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </PlainTable>
            )}
            {edited !== undefined && (
              <SetLimit
                {...edited}
                close={close}
                reload={() => {
                  void found.refetch()
                  close()
                }}
              />
            )}
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Limit({ of }: { readonly of: string | null }) {
  const channels = useWords(channelsWords)
  return of === null ? channels.noLimit : <Money value={{ amount: of, currency: 'USD' }} />
}

type Edited = {
  readonly of: Limits | 'new'
  /** The limits when the form opened. If somebody has changed a limit since then, the server refuses the change. */
  readonly known: readonly Limits[]
}

type Props = Edited & {
  readonly close: () => void
  readonly reload: () => void
}

function SetLimit({ known, of, close, reload }: Props) {
  const channels = useWords(channelsWords)
  const parts = useWords(partsWords)
  const send = useSend('PUT /platform/limits/:method')
  const { method = 'card', daily = null, monthly = null } = of === 'new' ? {} : of
  const initial = { method, daily: daily ?? NONE, monthly: monthly ?? NONE, reason: '' }
  const form = useForm(initial, async (entered) => {
    const none = { daily: null, monthly: null }
    const current = known.find((one) => one.method === entered.method) ?? none
    const seen = {
      ...(current.daily !== null && { daily: current.daily }),
      ...(current.monthly !== null && { monthly: current.monthly }),
    }
    const { reason } = entered
    const body = { daily: entered.daily, monthly: entered.monthly, seen, reason }
    await send({ params: { method: entered.method }, body })
    close()
  })
  const title = channels.setLimit
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={title} cancel={close} reload={reload}>
        <Stack gap="md">
          {of === 'new' && (
            <MethodField field={form.field('method')} more={[{ value: 'payout', label: channels.payouts }]} />
          )}
          <TextInput label={channels.daily} description={channels.setLimitHint} {...form.field('daily')} />
          <TextInput
            label={channels.monthly}
            description={channels.setLimitHint}
            {...form.field('monthly')}
          />
          <ReasonField {...form.field('reason')} />
        </Stack>
      </FormFrame>
    </Modal>
  )
}
