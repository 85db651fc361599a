// GET /sandbox/mail: the mails of a sandbox, on a page without script. Mails contain links that set passwords, so a
// sandbox that other machines can reach shows mails only to operators who may change the platform.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Vault } from '../base/secret.ts'
import { type Html, html, pageHeaders } from '../pages/page.ts'
import type { Db } from '../postgres/db.ts'
import { linkContext } from './enqueue-mail.ts'
import { mailMoment, type StoredMail } from './mail.ts'
import { renderMail } from './render-mail.ts'
import { listMails } from './store-mails.ts'

export type SandboxMailDeps = {
  readonly db: Db
  readonly vault: Vault
  mayRead(request: FastifyRequest): Promise<boolean>
}

const SHOWN = 100

export function registerSandboxMail(app: FastifyInstance, { db, vault, mayRead }: SandboxMailDeps): void {
  app.get('/sandbox/mail', async (request, reply) => {
    reply.headers(pageHeaders()).type('text/html; charset=utf-8')
    if (!(await mayRead(request))) return reply.code(401).send(pageOf(SIGN_IN))
    const mails = await listMails(db, undefined, SHOWN)
    return reply.send(pageOf(mails.length === 0 ? NO_MAIL : mails.map((mail) => itemOf(vault, mail))))
  })
}

const NO_MAIL = html`<p>No mail yet. Invite a colleague, register a company or ask for a new password.</p>`
const SIGN_IN = html`<p>Others can reach this sandbox, so only operators who may change the platform can read its mails.</p>
<p><a class="button quiet" href="../backoffice">Sign in to the back office</a></p>
<p>Then open this page again. To send mails to their readers instead, the operator sets TOLLGATE_SMTP_URL.</p>`

function pageOf(content: Html | readonly Html[]): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sandbox mail</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../assets/pay.css"><link rel="stylesheet" href="../assets/home.css"></head>
<body><header class="banner">Sandbox: no mail leaves this machine</header>
<main><section class="step"><div class="home"><h1>Mail</h1>
${content}
</div></section></main></body></html>
`.html
}

function itemOf(vault: Vault, mail: StoredMail): Html {
  const { mailId, to, template, language, values, sealedLink, createdAt } = mail
  const link = sealedLink === null ? undefined : vault.open(sealedLink, linkContext(mailId))
  const { subject, lines } = renderMail(template, language, values)
  return html`<article id="${mailId}"><h2>${subject}</h2>
<p class="soft">To ${to}, ${mailMoment(createdAt)}</p>
${lines.map((line) => html`<p>${line}</p>`)}
${link && html`<p><a href="${link}">${link}</a></p>`}</article>`
}
