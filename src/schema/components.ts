/** A vertex that was reached, and those that its edges lead to. */
export interface ReachedVertex<Vertex> {
  /** The vertex. */
  readonly vertex: Vertex;
  /** Where its edges lead. */
  readonly next: readonly Vertex[];
}

/** A graph whose vertices are decided component by component. */
export interface DecidableGraph<Vertex> {
  /** The vertices that the edges of a vertex lead to; asked once for each. */
  next(vertex: Vertex): readonly Vertex[];
  /** True if a vertex was decided, in this search or before. */
  isDecided(vertex: Vertex): boolean;
  /** Decides vertices that all lead to each other; all that they lead to besides are decided. */
  decide(members: readonly ReachedVertex<Vertex>[], isCycle: boolean): void;
}

interface Visit<Vertex> extends ReachedVertex<Vertex> {
  /** When it was reached. */
  readonly order: number;
  /** Its place among the candidates. */
  readonly place: number;
  /** The earliest vertex, by order, that it leads back to as far as is known. */
  earliest: number;
  /** The edge to follow next. */
  edge: number;
}

/**
 * Decides a vertex and all that it leads to, each strongly connected component of the graph once and after those that it
 * leads to (Tarjan's algorithm): it takes steps in proportion to the edges. It has a stack of its own, since descriptions may
 * have chains longer than calls can nest.
 */
export function decideComponents<Vertex>(start: Vertex, graph: DecidableGraph<Vertex>): void {
  if (graph.isDecided(start)) return;
  const orders = new Map<Vertex, number>();
  /** Vertices that may yet turn out to be in a component with one on the path. */
  const candidates: Visit<Vertex>[] = [];
  const path: Visit<Vertex>[] = [];
  const enter = (vertex: Vertex): void => {
    const order = orders.size;
    orders.set(vertex, order);
    const place = candidates.length;
    const visit = { vertex, next: graph.next(vertex), order, place, earliest: order, edge: 0 };
    candidates.push(visit);
    path.push(visit);
  };
  enter(start);
  for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
    if (visit.edge < visit.next.length) {
      const other = visit.next[visit.edge++] as Vertex; // below the length
      if (graph.isDecided(other)) continue;
      const order = orders.get(other);
      if (order === undefined) enter(other);
      else visit.earliest = Math.min(visit.earliest, order);
      continue;
    }
    path.pop();
    const outer = path.at(-1);
    if (outer !== undefined) outer.earliest = Math.min(outer.earliest, visit.earliest);
    if (visit.earliest === visit.order) {
      const members = candidates.splice(visit.place);
      graph.decide(members, members.length > 1 || visit.next.includes(visit.vertex));
    }
  }
}
