// Sends mails by SMTP. Without a mail server, a sandbox only stores its mails, and live sends no mails.
import { createTransport } from 'nodemailer'
import type { RenderedMail } from './render-mail.ts'

export type MailTransport = {
  readonly kind: 'smtp' | 'sandbox' | 'off'
  readonly from: string | undefined
  /** Sends a mail. Rejects with the reason if the mail was not sent. */
  send(to: string, mail: Pick<RenderedMail, 'subject' | 'text' | 'html'>, mailId: string): Promise<void>
  close(): void
}

export type MailSettings = {
  /** An address with `smtp://` or `smtps://`, and with user and password if the server requires them. */
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
    // Mails consist of texts. The library must never read a part of a mail from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    kind: 'smtp',
    from: mailFrom,
    async send(to, { subject, text, html }, mailId) {
      // All tries of a mail have the same message id, so that a mail server or a mail program can drop a duplicate.
      const messageId = `<${mailId}@${domain}>`
      await transport.sendMail({
        from: mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId,
      })
    },
    close: () => transport.close(),
  }
}
