import { Stack } from '@mantine/core'
import { useCall } from '../../api/use-call.ts'
import { CodeView } from '../../parts/code-view.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SidePanel } from '../../parts/side-panel.tsx'
import { Loaded } from '../../parts/states.tsx'
import { auditWords } from '../../words/audit.ts'
import { useWords } from '../../words/use-words.tsx'

export function AuditPanel({ entryId, back }: { readonly entryId: string; readonly back: string }) {
  const audit = useWords(auditWords)
  const line = useCall('GET /audit/:entryId', { params: { entryId } })
  return (
    <SidePanel title={audit.line} back={back}>
      <Loaded query={line} lines={8}>
        {({ at, merNo, actorKind, actor, address, action, subject, reason, before, after }) => (
          <Stack gap="lg">
            <Facts
              of={[
                [audit.at, <Moment key="at" at={at} show="seconds" />],
                [audit.actor, `${actor} (${audit.kinds[actorKind]})`],
                [audit.address, address],
                [audit.merchant, merNo === 0 ? audit.platform : merNo],
                [audit.action, action],
                [audit.subject, subject],
                [audit.reason, reason],
              ]}
            />
            {before !== null && <CodeView label={audit.before} value={before} />}
            {after !== null && <CodeView label={audit.after} value={after} />}
          </Stack>
        )}
      </Loaded>
    </SidePanel>
  )
}
