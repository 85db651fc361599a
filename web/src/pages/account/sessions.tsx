import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { accountWords } from '../../words/account.ts'
import { useWords } from '../../words/use-words.tsx'

export function Sessions() {
  const account = useWords(accountWords)
  const sessions = useCall('GET /account/sessions', {})
  const end = useSend('DELETE /account/sessions/:sessionId')
  const endOthers = useSend('DELETE /account/sessions')
  return (
    <Section title={account.sessions} hint={account.sessionsHint}>
      <Loaded query={sessions}>
        {({ rows }) => (
          <>
            <PlainTable label={account.sessions}>
              <thead>
                <tr>
                  <th scope="col">{account.device}</th>
                  <th scope="col">{account.address}</th>
                  <th scope="col">{account.began}</th>
                  <th scope="col">{account.seen}</th>
                  <th scope="col">{account.endSession}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ sessionId, isCurrent, agent, address, createdAt, seenAt }) => (
                  <tr key={sessionId}>
                    <td title={agent}>{browserName(agent)}</td>
                    <td>{address}</td>
                    <td>
                      <Moment at={createdAt} />
                    </td>
                    <td>{isCurrent ? account.thisSession : <Moment at={seenAt} />}</td>
                    <td>
                      {!isCurrent && (
                        <ActionButton size="xs" run={() => end({ params: { sessionId } })}>
                          {account.endSession}
                        </ActionButton>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </PlainTable>
            {rows.length > 1 && <ActionButton run={() => endOthers({})}>{account.endOthers}</ActionButton>}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

function browserName(agent: string): string {
  const find = (list: readonly (readonly [string, string])[]) =>
    list.find(([mark]) => agent.includes(mark))?.[1]
  const found = [find(browsers), find(systems)].filter((name) => name !== undefined)
  return found.length === 0 ? agent : found.join(', ')
}
