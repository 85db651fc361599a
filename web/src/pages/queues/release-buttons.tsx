import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import { DecideButton } from '../../parts/decide-button.tsx'
import { FormFrame } from '../../parts/form-frame.tsx'
import { useDialog } from '../../parts/page-dialog.tsx'
import { useForm } from '../../parts/use-form.ts'
import { decideWords } from '../../words/decide.ts'
import { partsWords } from '../../words/parts.ts'
import { useWords } from '../../words/use-words.tsx'

type Rejection = { readonly reason: string; readonly auditReason?: string }

type Props = {
  readonly subject: string
  /** True if the signed-in person made the request. This person cannot approve it, and can only withdraw it. */
  readonly isOwn?: boolean
  readonly approve: (reason: string) => Promise<unknown>
  readonly reject: (rejection: Rejection) => Promise<unknown>
}

/** The buttons that approve or reject. The merchant reads the reason of a rejection. */
export function ReleaseButtons({ subject, isOwn = false, approve, reject }: Props) {
  const decide = useWords(decideWords)
  const open = useDialog(subject)
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {!isOwn && (
        <DecideButton label={decide.approve} title={decide.approveTitle} subject={subject} run={approve} />
      )}
      <Button
        size="xs"
        variant="default"
        onClick={() => open((close) => <RejectDialog reject={reject} close={close} />)}
      >
        {isOwn ? decide.takeBack : decide.reject}
      </Button>
    </Group>
  )
}

/** Asks for a reason for the merchant, and optionally for another reason for the audit log. */
function RejectDialog({ reject, close }: Pick<Props, 'reject'> & { readonly close: () => void }) {
  const decide = useWords(decideWords)
  const parts = useWords(partsWords)
  const form = useForm({ reason: '', auditReason: '' }, async ({ reason, auditReason }) => {
    await reject({ reason, ...(auditReason.trim() !== '' && { auditReason }) })
    close()
  })
  return (
    <Modal opened onClose={close} title={decide.rejectTitle} closeButtonProps={{ 'aria-label': parts.close }}>
      <FormFrame form={form} action={decide.reject} danger cancel={close}>
        <Stack gap="md">
          <Textarea
            label={parts.reason}
            description={decide.merchantReads}
            autosize
            minRows={2}
            maxLength={255}
            required
            data-autofocus
            {...form.field('reason')}
          />
          <Textarea
            label={decide.auditReason}
            description={decide.auditReasonHint}
            autosize
            minRows={2}
            maxLength={500}
            {...form.field('auditReason')}
          />
        </Stack>
      </FormFrame>
    </Modal>
  )
}
