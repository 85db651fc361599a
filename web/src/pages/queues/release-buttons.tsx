import { Group } from '@mantine/core'
import { DecideButton } from '../../parts/decide-button.tsx'
import { useWords } from '../../words/use-words.tsx'

type Props = {
  /** The number of the refund or payout. */
  readonly subject: string
  readonly approve: (reason: string) => Promise<unknown>
  readonly reject: (reason: string) => Promise<unknown>
}

/** Approve or reject; the merchant reads why it was rejected. */
export function ReleaseButtons({ subject, approve, reject }: Props) {
  const { decide } = useWords()
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DecideButton label={decide.approve} title={decide.approveTitle} subject={subject} run={approve} />
      <DecideButton
        label={decide.reject}
        title={decide.rejectTitle}
        hint={decide.merchantReads}
        danger
        subject={subject}
        run={reject}
      />
    </Group>
  )
}
