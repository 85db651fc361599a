// A rule by which a method of a merchant goes to a channel.
import { NativeSelect, TextInput } from '@mantine/core'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../words/use-words.tsx'
import { MethodField } from '../fee-plans/term-fields.tsx'
import { EditWithPreview } from './edit-with-preview.tsx'
import type { Merchant } from './merchant-facts.tsx'

export type EditedRoute = {
  /** Undefined: a new one. */
  readonly route?: Merchant['routes'][number]
  readonly removes?: boolean
}

type Props = {
  readonly merNo: number
  readonly version: string
  readonly of: EditedRoute
  readonly close: () => void
}

export function EditRoute({ merNo, version, of: { route, removes = false }, close }: Props) {
  const { merchants } = useWords()
  const save = useSend('PUT /merchants/:merNo/routes/:method/:channel')
  const remove = useSend('DELETE /merchants/:merNo/routes/:method/:channel')
  const found = useCall('GET /channels', {}, { enabled: route === undefined })
  const channels = found.data?.channels ?? []
  /** The first channel of the method, until one is chosen. */
  const channelOf = (method: string) => channels.find(({ methods }) => methods.includes(method))?.name ?? ''
  const { method = 'card', channel = '', priority = 1, weight = 1 } = route ?? {}
  return (
    <EditWithPreview
      title={removes ? merchants.removeRouteTitle : merchants.editRouteTitle}
      before={{ method, channel, priority: String(priority), weight: String(weight) }}
      close={close}
      send={(entered, dryRun) => {
        const { method: to = '', reason } = entered
        const params = { merNo, method: to, channel: entered.channel || channelOf(to) }
        const body = { version, reason, dryRun }
        const numbers = { priority: Number(entered.priority), weight: Number(entered.weight) }
        return removes ? remove({ params, body }) : save({ params, body: { ...body, ...numbers } })
      }}
    >
      {(form) => (
        <>
          {route === undefined && (
            <>
              <MethodField field={form.field('method')} />
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
