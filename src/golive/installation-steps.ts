// Steps about the installation: its settings, its address, its people.
import { listByCommand } from '../backoffice/users/command-users.ts'
import { reason } from '../doctor/checks.ts'
import { done, missing, type Step } from './step.ts'

export const settings: Step = {
  name: 'settings',
  title: 'Settings, database and keys',
  async check({ config, examine }) {
    if (config.mode !== 'live')
      return missing(
        'this is a sandbox',
        'set TOLLGATE_MODE=live, with a data folder and database of its own',
      )
    const findings = await examine()
    const failed = findings.find(({ status }) => status === 'fail')
    if (failed === undefined) return done(`the doctor made ${findings.length} checks and found nothing wrong`)
    return missing(`${failed.check}: ${failed.found}`, failed.todo ?? 'run "doctor"')
  },
}

const HTTPS_TODO =
  'let a proxy end TLS in front of the gateway, and set TOLLGATE_BASE_URL and TOLLGATE_TRUSTED_PROXIES'

export const address: Step = {
  name: 'address',
  title: 'Public address with TLS',
  async check({ config: { baseUrl } }) {
    const { protocol, hostname } = new URL(baseUrl)
    const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
    if (protocol !== 'https:' && !isLocal) return missing(`${baseUrl} is not https`, HTTPS_TODO)
    try {
      const reply = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(10_000) })
      if (reply.status === 200) return done(`${baseUrl} answers${isLocal ? ' on this machine only' : ''}`)
      return missing(`${baseUrl}/readyz answered ${reply.status}`, 'see the log of the gateway')
    } catch (error) {
      return missing(
        `${baseUrl} does not answer: ${reason(error)}`,
        'start the gateway, and check DNS, firewall and proxy',
      )
    }
  },
}

export const operator: Step = {
  name: 'operator',
  title: 'An operator with a second factor',
  async check({ db }) {
    const people = await listByCommand(db, 0)
    const ready = people.filter(
      ({ role, state, hasFactor }) => role === 'admin' && state === 'active' && hasFactor,
    )
    if (ready.length > 0) return done(`${ready.length} of ${people.length} operators can sign in as admin`)
    return missing(
      'no admin has a password and a second factor',
      'run "user create --email E --role admin", and open the link that it prints',
    )
  },
}
