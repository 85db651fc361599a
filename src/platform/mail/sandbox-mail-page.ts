// GET /sandbox/mail: the mails of a sandbox, newest first, for people who try it. A plain page without script.
import type { FastifyInstance } from 'fastify'
import type { Vault } from '../base/secret.ts'
import { type Html, html, pageHeaders } from '../pages/page.ts'
import type { Db } from '../postgres/db.ts'
import { linkContext } from './enqueue-mail.ts'
import { listMails } from './list-mails.ts'
import { mailMoment, type StoredMail } from './mail.ts'
import { renderMail } from './render-mail.ts'

export type SandboxMailDeps = { readonly db: Db; readonly vault: Vault }

const SHOWN = 100

export function registerSandboxMail(app: FastifyInstance, { db, vault }: SandboxMailDeps): void {
  app.get('/sandbox/mail', async (_request, reply) => {
    const mails = await listMails(db, undefined, SHOWN)
    return reply.headers(pageHeaders()).type('text/html; charset=utf-8').send(pageOf(vault, mails))
  })
}

function pageOf(vault: Vault, mails: readonly StoredMail[]): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sandbox mail</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../assets/pay.css"><link rel="stylesheet" href="../assets/home.css"></head>
<body><header class="banner">Sandbox: no mail leaves this machine</header>
<main><section class="step"><div class="home"><h1>Mail</h1>
${mails.length === 0 && html`<p>No mail yet. Invite a colleague, register a company or ask for a new password.</p>`}
${mails.map((mail) => itemOf(vault, mail))}
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
