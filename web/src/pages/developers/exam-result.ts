// The shape of an exam's result. The types of the API do not describe it.
import type { Reply } from '../../api/send.ts'
import type { ExamWords } from '../../words/exam.ts'

export type ExamRun = Reply<'GET /exams'>['runs'][number]

export type Delivery = {
  readonly title: string
  readonly request: string
  readonly status: number | null
  readonly answer: string
  readonly latencyMs: number
  readonly wanted: keyof ExamWords['wanted']
  readonly wrong: string | null
}

export type Exercised = {
  readonly name: keyof ExamWords['titles']
  readonly state: keyof ExamWords['states']
  readonly found: readonly string[]
  readonly effectChecked: boolean
  readonly deliveries: readonly Delivery[]
}

export type CheckItem = {
  readonly name: keyof ExamWords['checks']
  readonly done: boolean
  readonly optional: boolean
}

export function exercisesIn({ state, progress, result }: ExamRun): readonly Exercised[] {
  const found = state === 'running' ? progress.exercises : result?.exercises
  return Array.isArray(found) ? found : []
}

export function checklistIn({ result }: ExamRun): readonly CheckItem[] {
  return Array.isArray(result?.checklist) ? result.checklist : []
}
