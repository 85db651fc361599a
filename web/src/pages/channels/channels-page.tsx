import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { StateLabel } from '../../parts/state-label.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useMay } from '../../shell/me.tsx'
import { channelsWords } from '../../words/channels.ts'
import { ordersWords } from '../../words/orders.ts'
import { useWords } from '../../words/use-words.tsx'

type Channel = Reply<'GET /channels'>['channels'][number]

const REFRESH_MS = 15_000

export function ChannelsPage() {
  const channels = useWords(channelsWords)
  const may = useMay()
  const found = useCall('GET /channels', {}, { refetchInterval: REFRESH_MS })
  const [chosen, setChosen] = useState<Channel>()
  const [checked, setChecked] = useState<Checked>()
  return (
    <PageFrame title={channels.title} hint={channels.hint}>
      {checked !== undefined && (
        <Alert color={checked.isRight ? 'green' : 'red'} role="status" title={checked.name}>
          {checked.message}
        </Alert>
      )}
      <Loaded query={found} lines={12}>
        {(data) => (
          <>
            <FailingWork of={data.channels} />
            <PlainTable label={channels.title}>
              <thead>
                <tr>
                  <th scope="col">{channels.name}</th>
                  <th scope="col" className="wide-only">
                    {channels.method}
                  </th>
                  <th scope="col">{channels.state}</th>
                  <th scope="col" className="at-end">
                    {channels.calls}
                  </th>
                  <th scope="col" className="at-end wide-only">
                    {channels.success}
                  </th>
                  <th scope="col" className="at-end wide-only">
                    {channels.declined}
                  </th>
                  <th scope="col" className="at-end wide-only">
                    {channels.failed}
                  </th>
                  <th scope="col" className="at-end">
                    {channels.unknown}
                  </th>
                  <th scope="col" className="at-end wide-only">
                    {channels.mean}
                  </th>
                  {may('channels.edit') && <th scope="col" className="stays" aria-label={channels.pause} />}
                </tr>
              </thead>
              <tbody>
                {data.channels.map((channel) => (
                  <ChannelRow
                    key={channel.name}
                    channel={channel}
                    choose={may('channels.edit') ? () => setChosen(channel) : undefined}
                    checked={setChecked}
                  />
                ))}
              </tbody>
            </PlainTable>
          </>
        )}
      </Loaded>
      {chosen !== undefined && <SwitchDialog channel={chosen} close={() => setChosen(undefined)} />}
    </PageFrame>
  )
}

/** Lists channels whose background work fails. Their payments and payouts continue, but the outcomes are not read. */
function FailingWork({ of }: { readonly of: readonly Channel[] }) {
  const channels = useWords(channelsWords)
  return of.map(
    ({ name, workFails }) =>
      workFails !== null && (
        <Alert key={name} color="red" title={channels.workFails(name)} mb="md">
          <Moment at={workFails.since} />: {workFails.why || channels.seeLog}
        </Alert>
      ),
  )
}

function ChannelRow({
  channel: { name, protocol, settings, methods, paused, lastHour },
  choose,
  checked,
}: {
  readonly channel: Channel
  readonly choose: (() => void) | undefined
  readonly checked: (checked: Checked) => void
}) {
  const channels = useWords(channelsWords)
  const orders = useWords(ordersWords)
  const served = methods.filter((method) => !Object.hasOwn(channels.payoutsTo, method))
  const paidOut = methods.flatMap((method) => channels.payoutsTo[method] ?? [])
  const { calls, answered, declined, failed, unknown, meanMs } = lastHour
  return (
    <>
      <tr className={protocol === null ? undefined : 'has-note'}>
        <td>{name}</td>
        <td className="wide-only wraps">
          {[
            ...served.map((method) => orders.methods[method] ?? method),
            ...(paidOut.length > 0 ? [channels.paysOut(paidOut.join(', '))] : []),
          ].join('; ')}
        </td>
        <td>
          {paused === null ? (
            <StateLabel tone="done">{channels.inUse}</StateLabel>
          ) : (
            <span title={channels.pausedBy(paused.by, paused.reason)}>
              <StateLabel tone="waiting">{channels.paused}</StateLabel>
            </span>
          )}
        </td>
        <td className="at-end">{calls}</td>
        <td className="at-end wide-only">{answered}</td>
        <td className="at-end wide-only">{declined}</td>
        <td className="at-end wide-only">{failed}</td>
        <td className="at-end">{unknown}</td>
        <td className="at-end wide-only">{meanMs === null ? '' : channels.ms(meanMs)}</td>
        {choose !== undefined && (
          <td className="stays">
            <Group gap="xs" justify="flex-end" wrap="nowrap">
              <CheckButton name={name} done={checked} />
              <Button variant="default" size="compact-sm" onClick={choose}>
                {paused === null ? channels.pause : channels.resume}
              </Button>
            </Group>
          </td>
        )}
      </tr>
      {protocol !== null && (
        <tr className="row-note wide-only">
          <td colSpan={choose === undefined ? 9 : 10}>
            <Text size="xs" c="dimmed">
              {channels.settings(protocol, settings.join(', '))}
            </Text>
          </td>
        </tr>
      )}
    </>
  )
}

type Checked = Reply<'POST /channels/:name/check'> & { readonly name: string }

function CheckButton({ name, done }: { readonly name: string; readonly done: (checked: Checked) => void }) {
  const channels = useWords(channelsWords)
  const check = useSend('POST /channels/:name/check')
  return (
    <ActionButton
      variant="subtle"
      size="compact-sm"
      run={async () => done({ name, ...(await check({ params: { name } })) })}
    >
      {channels.check}
    </ActionButton>
  )
}

function SwitchDialog({
  channel: { name, paused },
  close,
}: {
  readonly channel: Channel
  readonly close: () => void
}) {
  const channels = useWords(channelsWords)
  const pause = useSend('POST /channels/:name/pause')
  const resume = useSend('POST /channels/:name/resume')
  const isPaused = paused !== null
  return (
    <ConfirmDialog
      title={isPaused ? channels.resumeTitle(name) : channels.pauseTitle(name)}
      action={isPaused ? channels.resume : channels.pause}
      danger={!isPaused}
      needsReason
      close={close}
      run={(reason) => (isPaused ? resume : pause)({ params: { name }, body: { reason } })}
    />
  )
}
