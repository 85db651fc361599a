// Bugs in notifications to merchants.
import type { Bug } from './bug.ts'

export const notificationBugs: readonly Bug[] = [
  {
    name: 'notification-lost-after-commit',
    what: 'The result is committed first and its notification queued after that, and a crash lies between.',
    edits: [
      {
        file: 'src/money/payments/record-outcomes.ts',
        find: '    await deps.db.atOnce(statementsOf(changes, outbox.insert), { byKey: true })\n',
        replace: `    const statements = statementsOf(changes, outbox.insert)
    const queued = statements.filter(({ name }) => name === 'notifications.insert')
    const others = statements.filter((statement) => !queued.includes(statement))
    await deps.db.atOnce(others, { byKey: true })
    if (queued.length > 0) await deps.db.atOnce(queued, { byKey: true })\n`,
      },
    ],
  },
  {
    name: 'notification-timeout-counts-as-delivered',
    what: 'A merchant that does not answer a notification counts as notified.',
    edits: [
      {
        file: 'src/money/notifications/attempt.ts',
        find: 'if (error !== undefined) return error',
        replace: 'if (error !== undefined) return undefined',
      },
    ],
  },
  {
    name: 'notification-of-dead-worker-lost',
    what: 'What a worker had claimed when it died is never sent again.',
    edits: [
      {
        file: 'src/money/notifications/claim-sql.ts',
        find: `due_at = \${nextDue('dead.started_at', 'n.attempts - n.round_start')},`,
        replace: 'due_at = null,',
      },
      {
        file: 'src/money/notifications/claim-sql.ts',
        find: 'n.attempts - n.round_start > cardinality(',
        replace: 'n.attempts - n.round_start > 0 * cardinality(',
      },
    ],
  },
]
