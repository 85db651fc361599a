// Runs the integration exam by the command line, as docs/guides/exam.md shows it, for merchants of a gateway in this
// process.
import assert from 'node:assert/strict'
import { type BackOffice, openBackOffice } from './back-office.ts'
import type { ShopSecrets } from './exam-shop.ts'
import { blocksOf, guideNamed } from './guides.ts'
import { operatorAt } from './operator.ts'

type Exercised = {
  readonly name: string
  readonly state: 'passed' | 'failed' | 'skipped'
  readonly found: readonly string[]
  readonly todo: string | null
  readonly deliveries: readonly { readonly request: string; readonly wrong: string | null }[]
}

export type Report = {
  readonly passed: boolean
  readonly exercises: readonly Exercised[]
  readonly checklist: readonly { readonly name: string; readonly done: boolean }[]
}

export type Examined = ShopSecrets & { readonly merNo: string }

export type Examiner = {
  readonly office: BackOffice
  newMerchant(): Promise<Examined>
  examine(merNo: string, notifyUrl: string, ...more: readonly string[]): Promise<Exam>
  close(): Promise<void>
}

export type Exam = { readonly status: number; readonly report: Report }

export async function openExaminer(): Promise<Examiner> {
  const office = await openBackOffice()
  const operator = operatorAt({ databaseUrl: office.databaseUrl, dataDir: office.dataDir })
  return {
    office,
    async newMerchant() {
      const made = await operator.run('merchant', 'create', '--name', 'Examined', '--site', 'shop.example')
      return { merNo: String(made.merNo), key: String(made.key), webhookSecret: String(made.webhookSecret) }
    },
    async examine(merNo, notifyUrl, ...more) {
      const where = ['--mer-no', merNo, '--url', office.baseUrl]
      const { status, stdout, stderr } = await operator.attempt(...commandFor(notifyUrl), ...where, ...more)
      assert.ok(stdout !== '', stderr)
      const report: Report = JSON.parse(stdout)
      assert.ok(report.exercises, stdout)
      return { status, report }
    },
    close: () => office.close(),
  }
}

/** Returns the guide's own command, for this server. */
function commandFor(notifyUrl: string): string[] {
  const [block] = blocksOf(guideNamed('exam'))
  const [, command = ''] = block?.code.trim().split(' -- ') ?? []
  return command.replace('http://localhost:3000/notify', notifyUrl).split(' ')
}

export function namesIn({ exercises }: Report, state: Exercised['state']): string[] {
  return exercises.filter((one) => one.state === state).map(({ name }) => name)
}

export function explain({ exercises }: Report): string {
  return exercises.map(({ name, state, found }) => `${name} ${state}: ${found.join('; ')}`).join('\n')
}
