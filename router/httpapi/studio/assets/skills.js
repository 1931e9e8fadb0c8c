// What an agent can do, as it tells people.

/** The intents that a person can begin a task with. */
export const tasksOf = (agent) => (agent?.intents ?? []).filter((i) => i.task && i.example);

/** Those that only answer. What an agent knows that it does not do is nothing that it can do. */
export const answersOf = (agent) => (agent?.intents ?? []).filter((i) => i.answer_only && !i.task && !i.system && i.example && !i.id.startsWith('not_served.'));
