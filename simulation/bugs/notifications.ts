// Bugs in telling merchants the result.
import type { Bug } from './bug.ts'

export const notificationBugs: readonly Bug[] = [
  {
    name: 'notification-lost-after-commit',
    what: 'The result is committed first and its notification queued after that, and a crash lies between.',
    edits: [
      {
        file: 'src/payments/record-outcomes.ts',
        find: '    await deps.db.atOnce(statementsOf(changes), { byKey: true })\n',
        replace: `    const statements = statementsOf(changes)
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
        file: 'src/notifications/attempt.ts',
        find: 'if (error !== undefined) return error',
        replace: 'if (error !== undefined) return undefined',
      },
    ],
  },
  {
    name: 'notification-of-dead-worker-lost',
    what: 'What a worker had claimed when it died is never claimed again.',
    edits: [
      {
        file: 'src/notifications/claim-sql.ts',
        find: 'where n.due_at <= $1 and not n.parked and n.leased_until <= $1\n',
        replace: `where n.due_at <= $1 and not n.parked and n.leased_until <= $1 - interval '1 day'\n`,
      },
    ],
  },
]
