// The roles that the person may give to others: those that contain only permissions of this person.
import { useCall } from '../../api/use-call.ts'
import { useMe } from '../../shell/me.tsx'
import { teamWords } from '../../words/team.ts'
import { useWords } from '../../words/use-words.tsx'
import { roleName } from './role.ts'

export function useGrantableRoles(): readonly { readonly value: string; readonly label: string }[] {
  const team = useWords(teamWords)
  const { permissions } = useMe()
  const { data } = useCall('GET /roles', {})
  const mine = data?.rows.filter((role) => role.permissions.every((one) => permissions.includes(one)))
  return (mine ?? []).map(({ role }) => ({ value: role, label: roleName(role, team) }))
}
