// The note that the item of a form is already decided. People who may read the audit log also see who decided.
import { Alert, Text } from '@mantine/core'
import { useCall } from '../api/use-call.ts'
import { useMay } from '../shell/me.tsx'
import { partsWords } from '../words/parts.ts'
import { useLanguage, useWords } from '../words/use-words.tsx'
import { formatMoment } from './moment.tsx'
import type { Over } from './page-dialog.tsx'

export function DecidedNote({ subject }: Over) {
  const { locale } = useLanguage()
  const parts = useWords(partsWords)
  const enabled = useMay()('audit.read') && subject !== undefined
  const { data, isLoading } = useCall('GET /audit', { query: { subject: subject ?? '' } }, { enabled })
  if (isLoading) return null
  // Some audit lines are not decisions, such as the opening of a dispute.
  const line = data?.rows.find(({ action }) => parts.decisions[action] !== undefined)
  const decision = line && parts.decisions[line.action]
  if (line === undefined || decision === undefined)
    return (
      <Alert color="yellow" role="alert" title={parts.gone}>
        {parts.goneHint}
      </Alert>
    )
  return (
    <Alert color="yellow" role="alert" title={parts.decided}>
      <Text size="sm">{parts.decidedBy(line.actor, decision, formatMoment(line.at, locale))}</Text>
      {parts.decidedHint}
    </Alert>
  )
}
