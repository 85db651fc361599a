// Payments, refunds and payouts of which the channel does not say whether the money has moved.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type RowOf, useList, useSend } from '../../api/use-call.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { DecideButton } from '../../parts/decide-button.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { Moment } from '../../parts/moment.tsx'
import { formatMoney, Money } from '../../parts/money.tsx'
import { OrderBrief } from '../../parts/order-brief.tsx'
import { useDialog } from '../../parts/page-dialog.tsx'
import { PageFrame } from '../../parts/page-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { decideWords } from '../../words/decide.ts'
import { partsWords } from '../../words/parts.ts'
import { useLanguage, useWords } from '../../words/use-words.tsx'
import { useOneMerchant } from './use-one-merchant.tsx'

type Outcome = RowOf<'GET /outcomes'>

export function OutcomesPage() {
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const { query, isEmpty, bar } = useOneMerchant()
  const list = useList('GET /outcomes', { query })
  const send = useSend('POST /outcomes/:tradeNo/decide')
  const mayDecide = useMay()('outcomes.decide')
  const record = ({ tradeNo, refundNo }: Outcome, as: 'succeeded' | 'failed') => {
    return (reason: string) =>
      send({ params: { tradeNo }, body: { as, reason, ...(refundNo !== undefined && { refundNo }) } })
  }
  const receivedOf = useReceived()
  const hint = (row: Outcome) =>
    [receivedOf(row), decide.finalHint, row.needsSecondPerson && decide.needsSecond]
      .filter((text) => typeof text === 'string')
      .join(' ')
  const columns: readonly Column<Outcome>[] = [
    { id: 'kind', head: decide.what, width: '90px', cell: ({ kind }) => decide.of[kind] },
    {
      id: 'number',
      head: decide.number,
      cell: ({ tradeNo, refundNo, merOrderNo, order }) => (
        <>
          {refundNo !== undefined && <div className="mono two-lines">{refundNo}</div>}
          <OrderBrief tradeNo={tradeNo} merOrderNo={merOrderNo} order={order} />
        </>
      ),
    },
    { id: 'merchant', head: decide.merchant, width: '100px', wideOnly: true, cell: ({ merNo }) => merNo },
    { id: 'channel', head: decide.channel, wideOnly: true, cell: ({ channel }) => channel },
    {
      id: 'since',
      head: decide.since,
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      id: 'amount',
      head: decide.amount,
      align: 'end',
      width: '130px',
      cell: ({ money }) => <Money value={money} />,
    },
  ]
  const decision: Column<Outcome> = {
    id: 'decision',
    head: '',
    align: 'end',
    stays: true,
    cell: (row) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {row.received === undefined ? (
          <DecideButton
            label={decide.succeeded}
            title={decide.succeededTitle}
            hint={hint(row)}
            subject={row.refundNo ?? row.tradeNo}
            run={record(row, 'succeeded')}
          />
        ) : (
          <ReceivedButton of={row} received={row.received.amount} />
        )}
        <DecideButton
          label={decide.failed}
          title={decide.failedTitle}
          hint={row.received === undefined ? hint(row) : `${hint(row)} ${decide.partToSuspense}`}
          danger
          subject={row.refundNo ?? row.tradeNo}
          run={record(row, 'failed')}
        />
      </Group>
    ),
  }
  return (
    <PageFrame title={decide.outcomes} hint={decide.outcomesHint}>
      {bar}
      <DataTable
        label={decide.outcomes}
        list={list}
        columns={mayDecide ? [...columns, decision] : columns}
        rowKey={({ tradeNo, refundNo }) => refundNo ?? tradeNo}
        empty={
          <EmptyState title={decide.noOutcomes} hint={isEmpty ? decide.noOutcomesHint : parts.otherFilter} />
        }
      />
    </PageFrame>
  )
}

function useReceived(): (row: Outcome) => string | undefined {
  const decide = useWords(decideWords)
  const { locale } = useLanguage()
  return ({ received, money }) =>
    received && decide.receivedSoFar(formatMoney(received, locale), formatMoney(money, locale))
}

type ReceivedProps = { readonly of: Outcome; readonly received: string }

function ReceivedButton({ of: row, received }: ReceivedProps) {
  const decide = useWords(decideWords)
  const open = useDialog(row.tradeNo)
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => open((close) => <ReceivedDialog of={row} received={received} close={close} />)}
    >
      {decide.succeeded}
    </Button>
  )
}

function ReceivedDialog({ of: row, received, close }: ReceivedProps & { readonly close: () => void }) {
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const receivedOf = useReceived()
  const send = useSend('POST /outcomes/:tradeNo/decide')
  const form = useForm({ amount: received, reason: '' }, async (typed) => {
    await send({ params: { tradeNo: row.tradeNo }, body: { as: 'succeeded', ...typed } })
    close()
  })
  return (
    <Modal
      opened
      onClose={close}
      title={decide.succeededTitle}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <FormFrame form={form} action={decide.succeeded} cancel={close}>
        <Stack gap="md">
          <Text>{receivedOf(row)}</Text>
          <TextInput
            label={`${decide.receivedTotal} (${row.money.currency})`}
            description={decide.receivedTotalHint}
            inputMode="decimal"
            required
            data-autofocus
            {...form.field('amount')}
          />
          {row.needsSecondPerson && <Text>{decide.needsSecond}</Text>}
          <ReasonField {...form.field('reason')} />
        </Stack>
      </FormFrame>
    </Modal>
  )
}
