import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createLanes, type LaneJob, type Lanes } from './lanes.ts'

type Job = LaneJob & { readonly no: number }

let started: Job[]
let eased: number
let lanes: Lanes<Job>
beforeEach(() => {
  started = []
  eased = 0
  lanes = createLanes<Job>({ start: (job) => started.push(job), onEased: () => eased++ })
})

const jobs = (count: number, merNo: number, host = 'a.example') =>
  Array.from({ length: count }, (_, no) => ({ merNo, host, no }))

function add(some: readonly Job[], nowMs = 0): void {
  for (const job of some) lanes.add(job, nowMs)
}

function startedOf(merNo: number): Job[] {
  return started.filter((job) => job.merNo === merNo)
}

test('a merchant that does not answer uses its own slots only', () => {
  add(jobs(500, 1))
  assert.equal(startedOf(1).length, 32)
  add(jobs(5, 2))
  assert.equal(startedOf(2).length, 5)
  assert.deepEqual(lanes.excluded(), [1])
})

test('two merchants at one host have separate lanes', () => {
  add(jobs(40, 1, 'shared.example'))
  add(jobs(3, 2, 'shared.example'))
  assert.equal(startedOf(2).length, 3)
})

test('a lane widens while its host answers', () => {
  add(jobs(300, 1))
  for (let done = 0; done < 150; done++) lanes.finish(started[done] ?? never(), true, 0)
  assert.equal(started.length - 150, 128)
})

test('a circuit opens after eight failures in a row: only two probes, until one is answered', () => {
  const some = jobs(100, 1)
  add(some)
  for (const job of [...started]) lanes.finish(job, false, 0)
  assert.equal(lanes.openCircuits(), 1)
  const before = started.length
  for (const job of started.slice(32)) lanes.finish(job, false, 0)
  const probes = started.slice(before)
  assert.ok(probes.length <= 2, `${probes.length} concurrent probes`)
  lanes.finish(probes[0] ?? never(), true, 0)
  assert.equal(lanes.openCircuits(), 0)
  assert.ok(lanes.freeSlotsOf(1) + started.length - before > 2)
})

test('a job that waits too long is handed back, and its merchant is slow until its parked ones are gone', () => {
  add(jobs(40, 1), 0)
  assert.deepEqual(lanes.takeImpatient(50), [])
  assert.equal(lanes.takeImpatient(300).length, 8)
  assert.equal(lanes.jobCount(), 32)
  assert.deepEqual(lanes.slow(), [1])
  lanes.finish(started[0] ?? never(), true, 350)
  assert.equal(eased, 1)
  assert.equal(lanes.freeSlotsOf(1), 2)
  lanes.setSlow(1, false)
  assert.deepEqual(lanes.excluded(), [])
})

test('in a moving lane a job waits longer for a slot', () => {
  add(jobs(40, 1), 0)
  lanes.finish(started[0] ?? never(), true, 140)
  assert.deepEqual(lanes.takeImpatient(300), [])
  assert.equal(lanes.takeImpatient(400).length, 6)
})

test('when few slots are left, merchants with hanging calls get no more from the common queue', () => {
  for (let merNo = 1; merNo <= 40; merNo++) add(jobs(30, merNo), 0)
  add(jobs(5, 99), 2_000)
  assert.deepEqual(lanes.takeImpatient(2_001), [])
  assert.equal(lanes.slow().length, 40)
  assert.ok(!lanes.slow().includes(99))
})

test('idle merchants are forgotten above ten thousand, but no merchant that is slow or has jobs', () => {
  for (const merNo of [1, 2, 3]) {
    const failing = jobs(8, merNo)
    add(failing)
    for (const job of failing) lanes.finish(job, false, 0)
  }
  lanes.setSlow(2, true)
  add(jobs(1, 3))
  assert.equal(lanes.openCircuits(), 3)
  for (let merNo = 4; merNo <= 10_001; merNo++) lanes.setSlow(merNo, false)
  assert.equal(lanes.openCircuits(), 2)
  assert.equal(lanes.freeSlotsOf(1), 32)
  assert.deepEqual(lanes.slow(), [2])
})

test('all waiting jobs can be taken back at the end', () => {
  add(jobs(40, 1))
  assert.equal(lanes.takeWaiting().length, 8)
  assert.equal(lanes.jobCount(), 32)
})

function never(): never {
  throw new Error('fewer jobs were started than the test counts on')
}
