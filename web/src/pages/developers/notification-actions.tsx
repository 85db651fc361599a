// Actions on all notifications of a merchant: send the failed and retrying notifications again, pause and resume.
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '../../api/send.ts'
import { useSend } from '../../api/use-call.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { startOfDay } from '../../parts/days.ts'
import { FormFrame } from '../../parts/form-frame.tsx'
import { ReasonField } from '../../parts/reason-field.tsx'
import { useForm } from '../../parts/use-form.ts'
import { useMay } from '../../shell/me.tsx'
import { developersWords } from '../../words/developers.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'
import type { ChosenMerchant } from './chosen-merchant.tsx'

type Props = { readonly chosen: ChosenMerchant; readonly isPaused: boolean }

export function NotificationActions({ chosen, isPaused }: Props) {
  const developers = useWords(developersWords)
  const may = useMay()
  const [asked, setAsked] = useState<'resend' | 'pause'>()
  const pause = useSend('PUT /notifications/pause')
  const close = () => setAsked(undefined)
  return (
    <>
      {may('notifications.resend') && (
        <Button variant="default" onClick={() => setAsked('resend')}>
          {developers.resendFailed}
        </Button>
      )}
      {may('notifications.edit') && (
        <Button variant="default" onClick={() => setAsked('pause')}>
          {isPaused ? developers.resume : developers.pause}
        </Button>
      )}
      {asked === 'resend' && <ResendFailed chosen={chosen} close={close} />}
      {asked === 'pause' && (
        <ConfirmDialog
          title={isPaused ? developers.resume : developers.pause}
          action={isPaused ? developers.resume : developers.pause}
          needsReason
          close={close}
          run={(reason) => pause({ query: chosen, body: { paused: !isPaused, reason } })}
        >
          <Text>{isPaused ? developers.resumeHint : developers.pauseHint}</Text>
        </ConfirmDialog>
      )}
    </>
  )
}

type Counted = Reply<'POST /notifications/resend-failed'> & { readonly day: string }

const WEEK_MS = 7 * 86_400_000

/**
 * The first click counts the failed and retrying notifications of the chosen merchant or of all merchants. The second
 * click sends them again.
 */
export function ResendFailed({
  chosen,
  close,
}: {
  readonly chosen: ChosenMerchant
  readonly close: () => void
}) {
  const developers = useWords(developersWords)
  const parts = useWords(partsWords)
  const resend = useSend('POST /notifications/resend-failed')
  const [counted, setCounted] = useState<Counted>()
  const form = useForm(
    { day: new Date(Date.now() - WEEK_MS).toISOString().slice(0, 10), reason: '' },
    async ({ day, reason }) => {
      const since = startOfDay(day) ?? new Date(0).toISOString()
      const isSure = counted?.day === day && counted.count > 0
      const given = reason.trim() === '' ? {} : { reason }
      const counts = await resend({ query: chosen, body: { since, dryRun: !isSure, ...given } })
      if (isSure) close()
      else setCounted({ day, ...counts })
    },
  )
  const current = counted?.day === form.values.day ? counted : undefined
  const isReady = current !== undefined && current.count > 0
  return (
    <Modal
      opened
      onClose={close}
      title={developers.resendFailedTitle}
      closeButtonProps={{ 'aria-label': parts.close }}
    >
      <FormFrame
        form={form}
        action={isReady ? developers.resendThem(current.count) : developers.countThem}
        cancel={close}
      >
        <Stack gap="sm">
          <TextInput type="date" label={developers.resendSince} {...form.field('day')} data-autofocus />
          <ReasonField required={false} {...form.field('reason')} />
          <Text role="status">
            {current !== undefined &&
              (current.count === 0
                ? developers.resendNone
                : developers.resendCount(current.count - current.retrying, current.retrying))}
          </Text>
        </Stack>
      </FormFrame>
    </Modal>
  )
}
