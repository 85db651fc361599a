import { actorOf, type PeopleDeps } from '../../../people/roles/caller.ts'
import { PLATFORM } from '../../../people/roles/permissions.ts'
import { takeTries } from '../../../people/sessions/throttle.ts'
import { writeAudit } from '../../../platform/audit-log/write-entry.ts'
import { Problem } from '../../../platform/errors/problem.ts'
import { enqueueMail } from '../../../platform/mail/enqueue-mail.ts'
import { renderMail } from '../../../platform/mail/render-mail.ts'
import { listMails, retryMail } from '../../../platform/mail/store-mails.ts'
import type { MailTransport } from '../../../platform/mail/transport.ts'
import type { Handlers } from '../route.ts'
import { PAGE_ROWS, pageFrom } from '../schemas.ts'
import type { mailApi } from './api.ts'

export type MailHandlerDeps = PeopleDeps & { readonly mail: MailTransport }

export function createMailHandlers(deps: MailHandlerDeps): Handlers<typeof mailApi> {
  const { db, clock, vault, mail } = deps
  return {
    async 'GET /mail'({ query }) {
      const found = await listMails(db, query.after, PAGE_ROWS + 1)
      const rows = found.map(({ mailId, to, template, language, values, state, createdAt, tries, error }) => {
        const { subject } = renderMail(template, language, values)
        return { mailId, to, subject, state, createdAt: createdAt.toISOString(), tries, error }
      })
      return pageFrom(rows, ({ mailId }) => mailId)
    },

    async 'GET /mail/settings'() {
      return { transport: mail.kind, from: mail.from ?? null }
    },

    async 'POST /mail/test'({ caller }) {
      await takeTries(deps, { 'mail-to': caller.email })
      const { email: to, language } = caller
      const now = clock.now()
      await db.transaction(async (tx) => {
        await enqueueMail(tx, vault, { merNo: PLATFORM, to, template: 'test', language, values: {}, now })
        await writeAudit(tx, {
          merNo: PLATFORM,
          at: now,
          actor: actorOf(caller),
          action: 'mail.test',
          subject: to,
        })
      })
      return {}
    },

    async 'POST /mail/:mailId/retry'({ caller, params }) {
      const now = clock.now()
      await db.transaction(async (tx) => {
        if (!(await retryMail(tx, params.mailId, now)))
          throw new Problem('not-found', 'There is no such mail that failed.')
        const entry = { merNo: PLATFORM, at: now, actor: actorOf(caller), subject: params.mailId }
        await writeAudit(tx, { ...entry, action: 'mail.retry' })
      })
      return {}
    },
  }
}
