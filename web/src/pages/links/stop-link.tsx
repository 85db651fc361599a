// The button by which an operator stops a link or resumes it, with a reason.
import { useSend } from '../../api/use-call.ts'
import { DecideButton } from '../../parts/decide-button.tsx'
import { useMay } from '../../shell/me.tsx'
import { linksWords } from '../../words/links.ts'
import { useWords } from '../../words/use-words.tsx'
import type { PaymentLink } from './link-status.tsx'

export function StopLink({ link: { linkId, status } }: { readonly link: PaymentLink }) {
  const links = useWords(linksWords)
  const send = useSend('PUT /links/:linkId/stop')
  const mayStop = useMay()('risk.edit')
  if (!mayStop || status === 'paid' || status === 'expired') return null
  const isStopped = status !== 'stopped'
  return (
    <DecideButton
      // A new status makes a new button, because an open dialog of the old button no longer fits the link.
      key={status}
      label={isStopped ? links.stop : links.resume}
      title={isStopped ? links.stopTitle : links.resumeTitle}
      hint={isStopped ? links.stopHint : undefined}
      danger={isStopped}
      size="sm"
      run={(reason) => send({ params: { linkId }, body: { isStopped, reason } })}
    />
  )
}
