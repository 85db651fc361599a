// The look of every page of the sandbox's counterparties, and the addresses of its style and script.
import { type Html, renderPage } from '../pages/page.ts'

export type SandboxPage = { readonly title: string; readonly order?: Html; readonly step: Html }

export const STYLE_PATH = '/acs.css'
export const SCRIPT_PATH = '/acs.js'

export function sandboxPage(page: SandboxPage): string {
  return renderPage({ sandbox: true, style: STYLE_PATH, script: SCRIPT_PATH, ...page })
}
