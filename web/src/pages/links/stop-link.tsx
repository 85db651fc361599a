// The button with which an operator stops or resumes a link, with a reason.
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
      // After a change of the status, React makes a new button, because an open dialog of the old button would no
      // longer fit.
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
