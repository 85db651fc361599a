// Where the person is signed in.
import { useCall, useSend } from '../../api/use-call.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PlainTable } from '../../parts/plain-table.tsx'
import { Section } from '../../parts/section.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useWords } from '../../words/use-words.tsx'
import { browserName } from './browser-name.ts'

export function Sessions() {
  const { account } = useWords()
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
