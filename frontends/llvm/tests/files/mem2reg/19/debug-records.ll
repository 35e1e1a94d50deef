; ModuleID = '<stdin>'
source_filename = "<stdin>"

declare void @use(i32, i64, ptr)

declare i32 @choose(...)

declare i32 @other()

define double @declared_parameters(i32 %i, double %j) !dbg !4 {
entry:
    #dbg_value(i32 %i, !7, !DIExpression(), !9)
    #dbg_value(double %j, !10, !DIExpression(), !9)
  %b = sub nsw i32 %i, 2, !dbg !12
  %c = sitofp i32 %b to double, !dbg !12
  %e = fmul double %c, %j, !dbg !12
  br label %end, !dbg !12

end:                                              ; preds = %entry
  ret double %e, !dbg !12
}

define void @of_an_inlined_function(i32 %x) !dbg !13 {
entry:
    #dbg_value(i32 %x, !14, !DIExpression(), !15)
    #dbg_value(i32 %x, !16, !DIExpression(), !18)
    #dbg_value(i64 44, !20, !DIExpression(), !18)
    #dbg_value(ptr @of_an_inlined_function, !22, !DIExpression(), !18)
  call void @use(i32 %x, i64 44, ptr @of_an_inlined_function), !dbg !24
  br label %end, !dbg !19

end:                                              ; preds = %entry
  ret void, !dbg !19
}

define i64 @without_operators(i64 %x) !dbg !25 {
    #dbg_value(i64 %x, !26, !DIExpression(), !27)
  ret i64 %x
}

define i32 @one_operator(ptr %p) !dbg !28 {
    #dbg_value(ptr %p, !29, !DIExpression(DW_OP_deref), !31)
  %got = load i32, ptr %p, align 4
  ret i32 %got
}

define i32 @two_operators(ptr %p) !dbg !32 {
    #dbg_value(ptr undef, !33, !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 4), !34)
  %got = load i32, ptr %p, align 4
  ret i32 %got
}

define void @a_byte_and_a_bit_in_a_loop() !dbg !35 {
entry:
    #dbg_value(i8 3, !36, !DIExpression(), !38)
    #dbg_value(i1 false, !39, !DIExpression(), !38)
  br label %loop, !dbg !40

loop:                                             ; preds = %loop, %entry
  %bit.0 = phi i1 [ false, %entry ], [ %is, %loop ], !dbg !40
  %byte.0 = phi i8 [ 3, %entry ], [ %new, %loop ], !dbg !40
    #dbg_value(i8 %byte.0, !36, !DIExpression(), !38)
    #dbg_value(i1 %bit.0, !39, !DIExpression(), !38)
  %new = mul i8 %byte.0, 3
    #dbg_value(i8 %new, !36, !DIExpression(), !38)
  %is = xor i1 %bit.0, true
    #dbg_value(i1 %is, !39, !DIExpression(), !38)
  br label %loop, !dbg !40
}

define void @an_array_of_one_element() !dbg !41 {
entry:
  br label %loop, !dbg !42

loop:                                             ; preds = %loop, %entry
  %slot.0 = phi i32 [ undef, %entry ], [ %new, %loop ]
    #dbg_value(i32 %slot.0, !43, !DIExpression(), !48)
  %new = add i32 %slot.0, 5
    #dbg_value(i32 %new, !43, !DIExpression(), !48)
  br label %loop, !dbg !42
}

define void @an_array_of_many_elements(i32 %n) !dbg !49 {
entry:
  br label %loop, !dbg !50

loop:                                             ; preds = %loop, %entry
  %slot.0 = phi i32 [ undef, %entry ], [ %new, %loop ]
  %new = add i32 %slot.0, 5
    #dbg_value(i32 undef, !51, !DIExpression(), !56)
  br label %loop, !dbg !50
}

define i32 @through_a_pointer(ptr %0) !dbg !57 {
    #dbg_value(ptr %0, !58, !DIExpression(), !59)
  %2 = load i32, ptr %0, align 4, !dbg !60
  ret i32 %2, !dbg !60
}

define i32 @stores_in_two_scopes(ptr %0) !dbg !61 {
    #dbg_value(ptr %0, !62, !DIExpression(), !63)
  %2 = call i32 (...) @choose(), !dbg !64
  %3 = icmp eq i32 %2, 0, !dbg !64
  br i1 %3, label %4, label %6, !dbg !66

4:                                                ; preds = %1
  %5 = call i32 @other(), !dbg !67
  br label %8, !dbg !67

6:                                                ; preds = %1
  %7 = call i32 @through_a_pointer(ptr %0), !dbg !69
  br label %8, !dbg !69

8:                                                ; preds = %6, %4
  %.0 = phi i32 [ %5, %4 ], [ %7, %6 ], !dbg !70
  ret i32 %.0, !dbg !71
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "by hand", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "s.c", directory: "/s")
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "declared_parameters", scope: !1, file: !1, line: 10, type: !5, scopeLine: 10, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "i", arg: 1, scope: !4, file: !1, line: 20, type: !8)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocation(line: 0, scope: !4)
!10 = !DILocalVariable(name: "j", arg: 2, scope: !4, file: !1, line: 21, type: !11)
!11 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!12 = !DILocation(line: 31, column: 3, scope: !4)
!13 = distinct !DISubprogram(name: "of_an_inlined_function", scope: !1, file: !1, line: 20, type: !5, scopeLine: 20, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!14 = !DILocalVariable(name: "x", arg: 1, scope: !13, file: !1, line: 22, type: !8)
!15 = !DILocation(line: 0, scope: !13)
!16 = !DILocalVariable(name: "one", arg: 1, scope: !17, file: !1, line: 23, type: !8)
!17 = distinct !DISubprogram(name: "inlined", scope: !1, file: !1, line: 5, type: !5, scopeLine: 5, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!18 = !DILocation(line: 0, scope: !17, inlinedAt: !19)
!19 = !DILocation(line: 33, column: 3, scope: !13)
!20 = !DILocalVariable(name: "two", arg: 2, scope: !17, file: !1, line: 24, type: !21)
!21 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!22 = !DILocalVariable(name: "three", arg: 3, scope: !17, file: !1, line: 25, type: !23)
!23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
!24 = !DILocation(line: 35, column: 3, scope: !17, inlinedAt: !19)
!25 = distinct !DISubprogram(name: "without_operators", scope: !1, file: !1, line: 30, type: !5, scopeLine: 30, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!26 = !DILocalVariable(name: "x", scope: !25, file: !1, line: 26, type: !21)
!27 = !DILocation(line: 0, scope: !25)
!28 = distinct !DISubprogram(name: "one_operator", scope: !1, file: !1, line: 40, type: !5, scopeLine: 40, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!29 = !DILocalVariable(name: "wide", scope: !28, file: !1, line: 27, type: !30)
!30 = !DIBasicType(name: "wide", size: 512)
!31 = !DILocation(line: 0, scope: !28)
!32 = distinct !DISubprogram(name: "two_operators", scope: !1, file: !1, line: 50, type: !5, scopeLine: 50, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!33 = !DILocalVariable(name: "wide", scope: !32, file: !1, line: 28, type: !30)
!34 = !DILocation(line: 0, scope: !32)
!35 = distinct !DISubprogram(name: "a_byte_and_a_bit_in_a_loop", scope: !1, file: !1, line: 60, type: !5, scopeLine: 60, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!36 = !DILocalVariable(name: "byte", scope: !35, file: !1, line: 29, type: !37)
!37 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!38 = !DILocation(line: 0, scope: !35)
!39 = !DILocalVariable(name: "bit", scope: !35, file: !1, line: 40, type: !37)
!40 = !DILocation(line: 39, column: 3, scope: !35)
!41 = distinct !DISubprogram(name: "an_array_of_one_element", scope: !1, file: !1, line: 70, type: !5, scopeLine: 70, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!42 = !DILocation(line: 42, column: 3, scope: !41)
!43 = !DILocalVariable(name: "array", scope: !41, file: !1, line: 41, type: !44)
!44 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, elements: !45)
!45 = !{!46}
!46 = !DISubrange(count: !47)
!47 = !DILocalVariable(name: "length", scope: !41, type: !21, flags: DIFlagArtificial)
!48 = !DILocation(line: 0, scope: !41)
!49 = distinct !DISubprogram(name: "an_array_of_many_elements", scope: !1, file: !1, line: 80, type: !5, scopeLine: 80, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!50 = !DILocation(line: 44, column: 3, scope: !49)
!51 = !DILocalVariable(name: "array", scope: !49, file: !1, line: 43, type: !52)
!52 = !DICompositeType(tag: DW_TAG_array_type, baseType: !8, elements: !53)
!53 = !{!54}
!54 = !DISubrange(count: !55)
!55 = !DILocalVariable(name: "length", scope: !49, type: !21, flags: DIFlagArtificial)
!56 = !DILocation(line: 0, scope: !49)
!57 = distinct !DISubprogram(name: "through_a_pointer", scope: !1, file: !1, line: 90, type: !5, scopeLine: 90, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!58 = !DILocalVariable(name: "p", arg: 1, scope: !57, file: !1, line: 45, type: !23)
!59 = !DILocation(line: 0, scope: !57)
!60 = !DILocation(line: 46, column: 3, scope: !57)
!61 = distinct !DISubprogram(name: "stores_in_two_scopes", scope: !1, file: !1, line: 100, type: !5, scopeLine: 100, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!62 = !DILocalVariable(name: "p", arg: 1, scope: !61, file: !1, line: 47, type: !23)
!63 = !DILocation(line: 0, scope: !61)
!64 = !DILocation(line: 51, column: 3, scope: !65)
!65 = distinct !DILexicalBlock(scope: !61, file: !1, line: 101, column: 5)
!66 = !DILocation(line: 50, column: 3, scope: !61)
!67 = !DILocation(line: 52, column: 3, scope: !68)
!68 = distinct !DILexicalBlock(scope: !65, file: !1, line: 102, column: 7)
!69 = !DILocation(line: 53, column: 3, scope: !65)
!70 = !DILocation(line: 0, scope: !65)
!71 = !DILocation(line: 54, column: 3, scope: !61)
