// Sends mails by SMTP. Without a mail server, a sandbox only stores its mails, and in live sending fails.
import { createTransport } from 'nodemailer'
import type { RenderedMail } from './render-mail.ts'

export type MailTransport = {
  readonly kind: 'smtp' | 'sandbox' | 'off'
  readonly from: string | undefined
  /** Rejects with the reason if the mail was not sent. */
  send(to: string, mail: Pick<RenderedMail, 'subject' | 'text' | 'html'>, mailId: string): Promise<void>
  close(): void
}

type MailSettings = {
  /** An address with `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
}

const TIMEOUT_MS = 20_000
export const MAX_CONNECTIONS = 5

const keeping: MailTransport = { kind: 'sandbox', from: undefined, send: async () => {}, close() {} }
const off: MailTransport = {
  kind: 'off',
  from: undefined,
  send: async () => {
    throw new Error('no mail server is set up: set TOLLGATE_SMTP_URL and TOLLGATE_MAIL_FROM')
  },
  close() {},
}

export function openTransport({ smtpUrl, mailFrom }: MailSettings, mode: 'sandbox' | 'live'): MailTransport {
  if (smtpUrl === undefined || mailFrom === undefined) return mode === 'sandbox' ? keeping : off
  const [, domain = 'localhost'] = /@([^>\s]+)>?$/.exec(mailFrom) ?? []
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // The library must never read a part of a mail from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    kind: 'smtp',
    from: mailFrom,
    async send(to, { subject, text, html }, mailId) {
      // All tries of a mail have the same message id, so that servers and mail programs can drop duplicates.
      const messageId = `<${mailId}@${domain}>`
      const recipient = { name: '', address: to }
      await transport.sendMail({ from: mailFrom, to: recipient, subject, text, html, messageId })
    },
    close: () => transport.close(),
  }
}
