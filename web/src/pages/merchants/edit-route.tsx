// The dialog for a routing rule of a merchant. The rule sends a payment method or a kind of payout to a channel.
import { NativeSelect, TextInput } from '@mantine/core'
import { useCall, useSend } from '../../api/use-call.ts'
import { merchantsWords } from '../../words/merchants.ts'
import { payoutsWords } from '../../words/payouts.ts'
import { useWords } from '../../words/use-words.tsx'
import { MethodField } from '../fee-plans/term-fields.tsx'
import { EditWithPreview } from './edit-with-preview.tsx'
import type { Merchant } from './merchant-facts.tsx'

export type EditedRoute = {
  /** The rule. Undefined for a new rule. */
  readonly route?: Merchant['routes'][number]
  readonly removes?: boolean
}

/** The kinds of payout, by the name of the payout method that channels use. */
const payoutMethods = {
  payout_bank: 'bank_account',
  payout_card: 'card',
  payout_pix: 'pix',
  payout_per: 'per_transfer',
  payout_spei: 'spei',
} as const

type Props = {
  readonly merNo: number
  readonly version: string
  readonly of: EditedRoute
  readonly close: () => void
}

/**
 * The channel name that is sent if there is no channel. No channel has this name, so the server refuses it with a
 * problem at the field.
 */
const NONE = '-'

export function EditRoute({ merNo, version, of: { route, removes = false }, close }: Props) {
  const merchants = useWords(merchantsWords)
  const payouts = useWords(payoutsWords)
  const save = useSend('PUT /merchants/:merNo/routes/:method/:channel')
  const remove = useSend('DELETE /merchants/:merNo/routes/:method/:channel')
  const found = useCall('GET /channels', {}, { enabled: route === undefined })
  const channels = found.data?.channels ?? []
  /** Returns the first channel of a method. This channel is selected until the person chooses another. */
  const channelOf = (method: string) => channels.find(({ methods }) => methods.includes(method))?.name ?? ''
  const { method = 'card', channel = '', priority = 1, weight = 1 } = route ?? {}
  return (
    <EditWithPreview
      title={removes ? merchants.removeRouteTitle : merchants.editRouteTitle}
      before={{ method, channel, priority: String(priority), weight: String(weight) }}
      version={version}
      close={close}
      send={(entered, editing) => {
        const { method: to = '' } = entered
        const params = { merNo, method: to, channel: entered.channel || channelOf(to) || NONE }
        const numbers = { priority: Number(entered.priority), weight: Number(entered.weight) }
        return removes
          ? remove({ params, body: editing })
          : save({ params, body: { ...editing, ...numbers } })
      }}
    >
      {(form) => (
        <>
          {route === undefined && (
            <>
              <MethodField
                field={form.field('method')}
                more={Object.entries(payoutMethods).map(([value, kind]) => {
                  return { value, label: `${payouts.title}: ${payouts.kinds[kind]}` }
                })}
              />
              <NativeSelect
                label={merchants.channel}
                data={channels
                  .filter(({ methods }) => methods.includes(form.values.method ?? ''))
                  .map(({ name }) => name)}
                {...form.field('channel')}
              />
            </>
          )}
          {!removes && (
            <>
              <TextInput
                label={merchants.priority}
                description={merchants.priorityHint}
                inputMode="numeric"
                {...form.field('priority')}
              />
              <TextInput
                label={merchants.weight}
                description={merchants.weightHint}
                inputMode="numeric"
                {...form.field('weight')}
              />
            </>
          )}
        </>
      )}
    </EditWithPreview>
  )
}
